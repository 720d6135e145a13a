"""The API of the frontend: functions by feature over one registry. The browser and the renderer call it."""
