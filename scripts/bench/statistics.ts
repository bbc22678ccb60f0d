/** The value below which this share of sorted values lies; 0 when there are none. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Of the two in the middle the mean; NaN when there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((first, second) => first - second);
  const upper = Math.floor(sorted.length / 2);
  const high = sorted[upper];
  if (high === undefined) return Number.NaN;
  return sorted.length % 2 === 1 ? high : (high + (sorted[upper - 1] ?? high)) / 2;
}

/**
 * The median of the rounds' own ratios. What slows the machine for a while slows both sides of one round, and much of
 * it cancels here; a ratio of medians could take its two halves from different weathers. Undefined without a ratio.
 */
export function medianRatio(numerators: readonly number[], denominators: readonly number[]): number | undefined {
  const ratios = numerators.flatMap((numerator, round) => {
    const denominator = denominators[round];
    return denominator === undefined || denominator === 0 ? [] : [numerator / denominator];
  });
  return ratios.length === 0 ? undefined : median(ratios);
}
