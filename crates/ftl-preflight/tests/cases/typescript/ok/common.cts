import a = require("a");
export = a;
