// café
var x;
