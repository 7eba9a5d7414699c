"""Makes each test folder's helper modules importable by their plain names."""
