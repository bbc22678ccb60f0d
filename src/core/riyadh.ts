/* Deliveries are in Saudi Arabia, so people read and type times there. It has no daylight saving time. */

export const RIYADH = 'Asia/Riyadh';
export const RIYADH_AHEAD_MS = 3 * 3_600_000;
const DAY_MS = 24 * 3_600_000;

/** The date and time in Riyadh: `2026-01-31T09:00`. */
export function riyadhText(timeMs: number): string {
  return new Date(timeMs + RIYADH_AHEAD_MS).toISOString().slice(0, '2026-01-31T09:00'.length);
}

/** The day in Riyadh: `2026-01-31`. */
export function riyadhDay(timeMs: number): string {
  return riyadhText(timeMs).slice(0, '2026-01-31'.length);
}

/** When a month in Riyadh begins, and when the next one does, in milliseconds. `month` is like `2026-11`. */
export function riyadhMonth(month: string): { readonly startMs: number; readonly endMs: number } {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const startMs = Date.parse(`${month}-01T00:00:00+03:00`);
  // `Date.UTC` takes the years below 100 for those after 1900.
  const days = new Date(new Date(0).setUTCFullYear(year, number, 0)).getUTCDate();
  return { startMs, endMs: startMs + days * DAY_MS };
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/;

/** A date and time in Riyadh as an instant in UTC. Text that is neither that nor an instant stays as it is. */
export function riyadhInstant(typed: string): string {
  const [text, zone] = TIME.exec(typed) ?? [];
  const date = new Date(text === undefined ? Number.NaN : zone === undefined ? `${text}+03:00` : text);
  return Number.isNaN(date.getTime()) ? typed : date.toISOString();
}
