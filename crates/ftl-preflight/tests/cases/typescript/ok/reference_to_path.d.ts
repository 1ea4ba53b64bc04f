/// <reference path="path.d.ts" />
/// <reference path="types/lib.d.ts" />
export {};
