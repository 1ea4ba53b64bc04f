/*
 * Licence.
 */
/// <reference lib=esnext" />

declare const a: 1;
