/** The value at this share of the sorted values; 0 if there are none. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The median; the mean of the two middle values of an even number. NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((first, second) => first - second);
  const upper = Math.floor(sorted.length / 2);
  const high = sorted[upper];
  if (high === undefined) return Number.NaN;
  return sorted.length % 2 === 1 ? high : (high + (sorted[upper - 1] ?? high)) / 2;
}
