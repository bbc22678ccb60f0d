/** How drivers reach recipients: by their numbers, by one that leads to them, or not by telephone. */
export const NUMBER_POLICIES = ['shown', 'masked', 'hidden'] as const;
export type NumberPolicy = (typeof NUMBER_POLICIES)[number];

/** The numbers that drivers call in place of those of recipients. */
export interface CallNumbers {
  /** What the driver dials; null if the driver may not call. */
  numberFor(phone: string): string | null;
}
