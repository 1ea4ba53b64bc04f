/**
 * A licence.
 */

/* @flow */
import type { A } from "./a";
export const f = (a: A) => a;
