/** Replaces Arabic and Persian digits and the Arabic decimal separator, as their keyboards type them. */
export function latinDigits(typed: string): string {
  return typed
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
    .replaceAll('\u066b', '.');
}

interface City {
  readonly cityCode: string;
  readonly name: string;
  readonly nameAr: string;
}

/** The city that somebody typed: by its name in either language, or by its code. */
export function cityOf<Known extends City>(cities: readonly Known[], typed: string): Known | undefined {
  const sought = typed.trim().toLowerCase();
  return cities.find(({ cityCode, name, nameAr }) =>
    [cityCode, name, nameAr].some((one) => one.toLowerCase() === sought),
  );
}

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
