export declare const a: ;
