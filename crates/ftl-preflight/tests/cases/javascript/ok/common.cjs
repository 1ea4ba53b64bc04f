return require("a");
