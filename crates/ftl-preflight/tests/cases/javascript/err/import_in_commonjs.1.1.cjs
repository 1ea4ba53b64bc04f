import x from "y";
