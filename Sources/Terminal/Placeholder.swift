// Replaced by the first file of Terminal.
