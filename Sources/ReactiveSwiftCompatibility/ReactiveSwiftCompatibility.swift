// placeholder until its first file
