export declare async function f(): Promise<void>;
