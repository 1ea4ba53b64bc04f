declare const a: number;
```
