/// <reference types="node" />
/// <reference type="node" />
export {};
