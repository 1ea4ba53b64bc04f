route<string> = 1;
