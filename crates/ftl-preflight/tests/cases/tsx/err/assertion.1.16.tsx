const a = <any>b;
