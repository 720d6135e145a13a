"""Answers to questions: a chat service writes them from sections of the docs, and each sentence is checked.

Only a site with KINFOLK_ASK_URL has answers. `answer_sources` finds the sections, `prompt` writes them for the service,
`chat_service` streams its text, `sentence_reader` and `sentence_check` decide what is shown, `answer_service` joins
them within the limits. `answer_usage` and `question_log` are in the database.
"""
