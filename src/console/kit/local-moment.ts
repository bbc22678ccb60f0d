/* A day and a time as the browser's own field has them, where the reader is: `2026-01-31T09:00`. */

export function localText(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** The instant in UTC; what is none is sent as it is, and refused. */
export function instantOf(typed: string): string {
  const date = new Date(typed);
  return Number.isNaN(date.getTime()) ? typed : date.toISOString();
}
