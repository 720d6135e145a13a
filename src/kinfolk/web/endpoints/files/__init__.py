"""Files: the frontend, images of docs, examples, the brand, icons of libraries, share images, the folder `public`."""
