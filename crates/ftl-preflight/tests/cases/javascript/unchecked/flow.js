/**
 * @flow strict
 */
export function total(prices: Array<number>): number {
  return prices.reduce((a, b) => a + b, 0);
}
