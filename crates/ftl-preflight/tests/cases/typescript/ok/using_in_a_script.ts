using file = open("a");
