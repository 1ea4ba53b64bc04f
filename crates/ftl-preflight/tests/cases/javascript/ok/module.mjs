export { x as "string name" };
var x = /(?<year>\d{4})[/a]/u;
