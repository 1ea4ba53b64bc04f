function f() {
  return 1;
}}
return 2;
