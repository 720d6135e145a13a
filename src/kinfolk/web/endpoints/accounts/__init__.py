"""`/auth/`: sign-in and sign-out, with the cookies of both."""
