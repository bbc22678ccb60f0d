/** The local date and time in the format of `<input type="datetime-local">`: `2026-01-31T09:00`. */
export function localText(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** The local day in the format of `<input type="date">`: `2026-01-31`. */
export function localDay(date: Date): string {
  return localText(date).slice(0, '2026-01-31'.length);
}

/** The instant in UTC. Text that is not a date stays as it is, so that the service can report it. */
export function instantOf(typed: string): string {
  const date = new Date(typed);
  return Number.isNaN(date.getTime()) ? typed : date.toISOString();
}

/** Shorter times, in days, for a search that would read too many shipments. */
export const SHORTER_DAYS = [30, 7, 1] as const;
