<<<<<<< HEAD
var a;
