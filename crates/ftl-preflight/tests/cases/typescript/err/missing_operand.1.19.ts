const a: string = ;
