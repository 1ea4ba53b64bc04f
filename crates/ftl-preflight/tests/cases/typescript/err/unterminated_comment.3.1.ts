let a;
/* b
