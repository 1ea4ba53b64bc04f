export as namespace A;
export {};
