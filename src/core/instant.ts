declare const brand: unique symbol;

/** Microseconds since 1970-01-01T00:00:00Z, leap seconds not counted. Instants compare with `<` and `===`. */
export type Instant = bigint & { readonly [brand]: 'Instant' };

/**
 * Reads an RFC 3339 date-time in UTC: upper-case T, seconds, 0 to 6 fraction digits, then `Z` or `+00:00`. More fraction
 * digits are read if they are zero, as .NET, Go and Java print them. Years are 0000 to 9999 in the Gregorian calendar.
 *
 * Undefined for any other text. That includes dates that do not exist, second 60 (which an instant cannot express),
 * `-00:00` (RFC 3339 section 4.3: the offset is unknown), other offsets, and lower-case `t` or `z`, which RFC 3339
 * section 5.6 allows a specification to refuse.
 */
export function parseInstant(text: string): Instant | undefined {
  if (!utcDateTime.test(text)) return undefined;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const seconds = daysFromCivil(year, month, day) * secondsPerDay + hour * 3600 + minute * 60 + second;
  return fromParts(seconds, fractionMicros(text));
}

/**
 * Writes `YYYY-MM-DDThh:mm:ss.ffffffZ`, always 27 characters.
 * Throws a RangeError outside the years 0000 to 9999, which that form cannot write.
 */
export function formatInstant(instant: Instant): string {
  if (instant < firstInstant || instant > lastInstant) throw new RangeError(`no four-digit year: ${instant} µs`);
  const [seconds, micros] = partsOf(instant);
  const days = Math.floor(seconds / secondsPerDay);
  const secondOfDay = seconds - days * secondsPerDay;
  const [year, month, day] = civilOf(days);
  const hour = Math.floor(secondOfDay / 3600);
  const minute = Math.floor(secondOfDay / 60) % 60;
  const second = secondOfDay % 60;
  // One string: joining parts made a tenth of the garbage of a page of shipments.
  return String.fromCharCode(
    digit(year, 1000),
    digit(year, 100),
    digit(year, 10),
    digit(year, 1),
    hyphenCode,
    digit(month, 10),
    digit(month, 1),
    hyphenCode,
    digit(day, 10),
    digit(day, 1),
    tCode,
    digit(hour, 10),
    digit(hour, 1),
    colonCode,
    digit(minute, 10),
    digit(minute, 1),
    colonCode,
    digit(second, 10),
    digit(second, 1),
    pointCode,
    digit(micros, 100_000),
    digit(micros, 10_000),
    digit(micros, 1000),
    digit(micros, 100),
    digit(micros, 10),
    digit(micros, 1),
    zCode,
  );
}

export function instantOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

/** From whole milliseconds since 1970, as clocks and JWT libraries count. A fraction throws a RangeError. */
export function instantFromMillis(millis: number): Instant {
  return (BigInt(millis) * microsPerMilli) as Instant;
}

/** Milliseconds since 1970, rounded down, so that the result is never later than the instant. */
export function toMillis(instant: Instant): number {
  const total = Number(instant);
  if (Number.isSafeInteger(total)) return Math.floor(total / 1000);
  const remainder = instant % microsPerMilli;
  return Number((instant - remainder) / microsPerMilli) - (remainder < 0n ? 1 : 0);
}

/** Moves by whole microseconds, backwards when negative. A fraction throws a RangeError. */
export function addMicros(instant: Instant, micros: number): Instant {
  return (instant + BigInt(micros)) as Instant;
}

/** Moves by whole milliseconds, backwards when negative. A fraction throws a RangeError. */
export function addMillis(instant: Instant, millis: number): Instant {
  return (instant + BigInt(millis) * microsPerMilli) as Instant;
}

/** Moves by whole seconds, backwards when negative. A fraction throws a RangeError. */
export function addSeconds(instant: Instant, seconds: number): Instant {
  return (instant + BigInt(seconds) * microsPerSecond) as Instant;
}

/** The instant rounded down to a whole second, also before 1970. */
export function toWholeSecond(instant: Instant): Instant {
  const remainder = instant % microsPerSecond;
  return (instant - remainder - (remainder < 0n ? microsPerSecond : 0n)) as Instant;
}

const utcDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6}0*)?(?:Z|\+00:00)$/;
const microsPerMilli = 1_000n;
const microsPerSecond = 1_000_000n;
const secondsPerDay = 86_400;

/** 0000-01-01T00:00:00.000000Z and 9999-12-31T23:59:59.999999Z. */
const firstInstant = -62_167_219_200_000_000n;
const lastInstant = 253_402_300_799_999_999n;

/** Reading digits at fixed positions takes less than half the time of capture groups and `Number`. */
function twoDigits(text: string, at: number): number {
  return digitAt(text, at) * 10 + digitAt(text, at + 1);
}

function digitAt(text: string, at: number): number {
  return text.charCodeAt(at) - 48;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  // Odd months have 31 days up to July, even ones from August.
  return 30 + ((month + (month > 7 ? 1 : 0)) % 2);
}

/** Days since 1970-01-01. Years begin in March, so that the leap day is the last of its year (Hinnant's algorithm). */
function daysFromCivil(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const marchMonth = (month + 9) % 12;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * marchMonth + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * daysPerEra + dayOfEra - daysBeforeEpoch;
}

/** 400 Gregorian years, and the days from 0000-03-01 to 1970-01-01. */
const daysPerEra = 146_097;
const daysBeforeEpoch = 719_468;

function fractionMicros(text: string): number {
  if (text.charCodeAt(19) !== pointCode) return 0;
  let micros = 0;
  let unit = 100_000;
  for (let at = 20; unit >= 1 && isDigitAt(text, at); at += 1) {
    micros += digitAt(text, at) * unit;
    unit /= 10;
  }
  return micros;
}

const pointCode = 46;

function isDigitAt(text: string, at: number): boolean {
  const digit = digitAt(text, at);
  return digit >= 0 && digit <= 9;
}

function fromParts(seconds: number, micros: number): Instant {
  const total = seconds * 1_000_000 + micros;
  // A double is exact until the year 2255, and one bigint is cheaper than three.
  if (Number.isSafeInteger(total)) return BigInt(total) as Instant;
  return (BigInt(seconds) * microsPerSecond + BigInt(micros)) as Instant;
}

/** Whole seconds, rounded down, and the remaining microseconds. */
function partsOf(instant: Instant): readonly [seconds: number, micros: number] {
  const total = Number(instant);
  if (Number.isSafeInteger(total)) {
    const seconds = Math.floor(total / 1_000_000);
    return [seconds, total - seconds * 1_000_000];
  }
  const remainder = Number(instant % microsPerSecond);
  const micros = remainder < 0 ? remainder + 1_000_000 : remainder;
  return [Number((instant - BigInt(micros)) / microsPerSecond), micros];
}

/** The inverse of `daysFromCivil`. */
function civilOf(days: number): readonly [year: number, month: number, day: number] {
  const shifted = days + daysBeforeEpoch;
  const era = Math.floor(shifted / daysPerEra);
  const dayOfEra = shifted - era * daysPerEra;
  const leapDays = Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return [yearOfEra + era * 400 + (month > 2 ? 0 : 1), month, day];
}

/** The character code of one digit: that of the tens for unit 10. */
function digit(value: number, unit: number): number {
  return zeroCode + (Math.floor(value / unit) % 10);
}

const zeroCode = 48;
const hyphenCode = 45;
const colonCode = 58;
const tCode = 84;
const zCode = 90;
