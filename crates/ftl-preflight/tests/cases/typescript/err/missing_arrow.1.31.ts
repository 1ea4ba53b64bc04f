const f = (a: number): string { return "" };
