import x from "y"; let a = ;
