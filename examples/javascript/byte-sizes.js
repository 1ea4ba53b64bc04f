const UNITS = ["B", "kB", "MB", "GB"];

/** A number of bytes as people read it: at most one decimal, units of a thousand. */
export function format(bytes) {
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${Number(size.toFixed(1))} ${UNITS[unit]}`;
}
