import assert from "node:assert/strict";
import { test } from "node:test";

import { format } from "./byte-sizes.js";

for (const [bytes, text] of [
  [0, "0 B"],
  [999, "999 B"],
  [1500, "1.5 kB"],
  [2_000_000, "2 MB"],
  [999_950, "1 MB"],
]) {
  test(`${bytes} reads as ${text}`, () => assert.equal(format(bytes), text));
}
