with (a) {}
