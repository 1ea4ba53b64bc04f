if (a);
