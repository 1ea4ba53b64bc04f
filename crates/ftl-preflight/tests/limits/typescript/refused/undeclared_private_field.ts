class A {}
new A().#b;
