/** Shorter times, in days, for a search that would read too many shipments. */
export const SHORTER_DAYS = [30, 7, 1] as const;
