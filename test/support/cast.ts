/*
 * Real values: what people type, paste, print and tap, and what programs send by default. The tests of every reader, label,
 * list and page take their values from here, so that a value that once went wrong is tried everywhere. Invisible characters
 * are written as escapes.
 */

/** A name as it is stored. `searched` are spellings under which people look for it. */
export interface CastName {
  readonly name: string;
  readonly script: 'Arab' | 'Latn' | 'Cyrl' | 'Deva' | 'Beng' | 'Taml' | 'Mlym' | 'Viet';
  readonly searched: readonly string[];
}

/** Recipients in eight scripts (Vietnamese is Latin with letters that most Latin subsets lack). */
export const NAMES: readonly CastName[] = [
  { name: 'محمد العتيبي', script: 'Arab', searched: ['محمد', 'العتيبى', 'مُحَمَّد', 'محـــمد'] },
  { name: 'فاطمة أحمد', script: 'Arab', searched: ['فاطمه', 'احمد', 'آحمد'] },
  // Presentation forms, as PDFs and old programs write them.
  { name: '\uFEE3\uFEA4\uFEE4\uFEAA', script: 'Arab', searched: ['محمد'] },
  { name: 'هُدى الزّهراني', script: 'Arab', searched: ['هدى', 'هدي', 'الزهراني'] },
  { name: 'پرویز گلزار', script: 'Arab', searched: ['پرویز'] },
  { name: 'Sara\u00A0Al-Harbi', script: 'Latn', searched: ['sara al-harbi', 'SARA'] },
  { name: 'Şükrü Yıldız Çağlar', script: 'Latn', searched: ['Yıldız'] },
  { name: 'Łukasz Wójcik', script: 'Latn', searched: ['Wójcik'] },
  { name: 'Nguyễn Thị Hương', script: 'Viet', searched: ['Hương'] },
  { name: 'Владимир Щукин', script: 'Cyrl', searched: ['Щукин'] },
  { name: 'राजेश कुमार', script: 'Deva', searched: ['कुमार'] },
  { name: 'রফিকুল ইসলাম', script: 'Beng', searched: ['ইসলাম'] },
  { name: 'முருகன் செல்வம்', script: 'Taml', searched: ['செல்வம்'] },
  { name: 'അബ്ദുൾ റഹ്മാൻ', script: 'Mlym', searched: ['റഹ്മാൻ'] },
];

/** Address lines whose digits must be printed in the order in which they are stored, and the numbers in them. */
export const ADDRESSES: readonly { readonly line: string; readonly numbers: readonly string[] }[] = [
  { line: 'شارع العليا مبنى ١٢ شقة ٣٤٥، الرمز ١٢٢١١', numbers: ['١٢', '٣٤٥', '١٢٢١١'] },
  { line: 'شارع التحلية بناية ۱۲۳ طبقة ۴۵', numbers: ['۱۲۳', '۴۵'] },
  { line: 'حي النرجس، قطعة ٣/٤، مبنى ١٢-أ', numbers: ['٣/٤', '١٢'] },
  { line: 'يسلم قبل ٢٠٢٦/١١/٣٠ (الدور ٢)', numbers: ['٢٠٢٦/١١/٣٠', '٢'] },
  { line: 'King Fahd Road, building ١٢, flat 345', numbers: ['١٢', '345'] },
  { line: 'شارع الأمير سلطان 050-123-4567 الرمز 12211-8765', numbers: ['050-123-4567', '12211-8765'] },
  { line: 'RRRD2929 شارع الملك فهد، حي العليا', numbers: ['RRRD2929'] },
  // Marks of direction come along when an address is copied from a chat.
  { line: '\u202B\u200Fطريق الملك عبدالله\u200F، فيلا 27\u202C', numbers: ['27'] },
];

/** Mobile numbers as people write and paste them, and the number that each of them is. */
export const PHONES: readonly { readonly typed: string; readonly e164: string }[] = [
  { typed: '0500000011', e164: '+966500000011' },
  { typed: '٠٥٠٠٠٠٠٠١١', e164: '+966500000011' },
  { typed: '۰۵۰۰۰۰۰۰۱۱', e164: '+966500000011' },
  { typed: '050 000 0011', e164: '+966500000011' },
  { typed: '050\u00A0000\u00A00011', e164: '+966500000011' },
  { typed: '050\u2011000\u20110011', e164: '+966500000011' },
  { typed: '050–000—0011', e164: '+966500000011' },
  { typed: '050.000.0011', e164: '+966500000011' },
  { typed: '(050) 000-0011', e164: '+966500000011' },
  { typed: '00966500000011', e164: '+966500000011' },
  { typed: '٠٠٩٦٦٥٠٠٠٠٠٠١١', e164: '+966500000011' },
  { typed: '+966 (0) 50 000 0011', e164: '+966500000011' },
  { typed: '+966500000011', e164: '+966500000011' },
  { typed: '+٩٦٦ ٥٠ ٠٠٠ ٠٠١١', e164: '+966500000011' },
  { typed: '966500000011', e164: '+966500000011' },
  { typed: '500000011', e164: '+966500000011' },
  { typed: '０５０００００１１１', e164: '+966500000111' },
  // As WhatsApp and iOS contacts copy it: embedded in marks of direction.
  { typed: '\u202A+966\u00A050\u00A0000\u00A00011\u202C', e164: '+966500000011' },
  { typed: '\u200E0500000011\u200E', e164: '+966500000011' },
  { typed: '\u2068+966 50 000 0011\u2069', e164: '+966500000011' },
  { typed: 'tel:+966-50-000-0011', e164: '+966500000011' },
];

/** What is no Saudi mobile number, however it is read. */
export const NOT_PHONES: readonly string[] = [
  '',
  '\u200E',
  '0112345678',
  '+971501234567',
  '05000000111',
  '050000001',
  '05x0000011',
  '0500000011 / 0500000012',
  '0500000011 ext 4',
];

/** One order number, as it is typed again: none of these is another order. */
export const SAME_REFERENCE: readonly string[] = [
  'A-1001',
  'A-1001 ',
  '\u00A0A-1001',
  'A-1001\u200F',
  '\u202AA-1001\u202C',
  '\uFEFFA-1001',
  '\tA-1001\r\n',
];

/** Texts without a visible character. A person who sends one has typed nothing. */
export const EMPTY_TEXTS: readonly string[] = [
  '',
  ' ',
  '   ',
  '\u00A0',
  '\u200F',
  '\u2060',
  '\u3000',
  ' \u200B\uFEFF\t',
  '\u00AD',
  '\u115F',
];

/** Whole numbers as people and spreadsheets write them. */
export const QUANTITIES: readonly { readonly typed: string; readonly value: number }[] = [
  { typed: '2', value: 2 },
  { typed: ' 2 ', value: 2 },
  { typed: '2.0', value: 2 },
  { typed: '2,00', value: 2 },
  { typed: '٢', value: 2 },
  { typed: '٢٫٠', value: 2 },
  { typed: '\u200E12', value: 12 },
  { typed: '1,200', value: 1200 },
  { typed: '١٬٢٠٠', value: 1200 },
];

/** Amounts as people and spreadsheets write them, as exact decimals. */
export const AMOUNTS: readonly { readonly typed: string; readonly value: string }[] = [
  { typed: '1234.50', value: '1234.5' },
  { typed: '1,234.50', value: '1234.5' },
  { typed: '١٬٢٣٤٫٥٠', value: '1234.5' },
  { typed: '١٢٣٤٫٥', value: '1234.5' },
  { typed: '1 234,50', value: '1234.5' },
  { typed: '1.234,50', value: '1234.5' },
  { typed: '1\u00A0234.5', value: '1234.5' },
  { typed: '1\u202F234,5', value: '1234.5' },
  { typed: 'SAR 1,234.50', value: '1234.5' },
  { typed: '1,234.50 ر.س', value: '1234.5' },
  { typed: '\u200F1234.50\u200F', value: '1234.5' },
  { typed: '12,345,678.25', value: '12345678.25' },
  { typed: '0', value: '0' },
  { typed: '٠', value: '0' },
];

/** Names of Saudi cities as people write them, and the code. */
export const CITIES: readonly { readonly typed: string; readonly cityCode: string }[] = [
  { typed: 'الرياض', cityCode: 'RUH' },
  { typed: 'الرّياض', cityCode: 'RUH' },
  { typed: 'رياض', cityCode: 'RUH' },
  { typed: 'الريـــاض', cityCode: 'RUH' },
  { typed: 'riyadh', cityCode: 'RUH' },
  { typed: ' Riyadh\u200E', cityCode: 'RUH' },
  { typed: 'RUH', cityCode: 'RUH' },
  { typed: 'جدة', cityCode: 'JED' },
  { typed: 'جده', cityCode: 'JED' },
  { typed: 'جِدّة', cityCode: 'JED' },
];

/** Instants as languages print them by default, and as the service prints them. */
export const INSTANTS: readonly { readonly sent: string; readonly stored: string }[] = [
  { sent: '2030-01-01T06:00:00Z', stored: '2030-01-01T06:00:00.000000Z' },
  // .NET
  { sent: '2030-01-01T06:00:00.0000000Z', stored: '2030-01-01T06:00:00.000000Z' },
  // Go and Java
  { sent: '2030-01-01T06:00:00.123456000Z', stored: '2030-01-01T06:00:00.123456Z' },
  { sent: '2030-01-01T06:00:00.123000000+00:00', stored: '2030-01-01T06:00:00.123000Z' },
];

/** Instants that hold more than microseconds: the message says that six fraction digits are taken. */
export const TOO_FINE_INSTANTS: readonly string[] = ['2030-01-01T06:00:00.1234567Z', '2030-01-01T06:00:00.123456789Z'];

/** Texts that a spreadsheet would run as a formula, alone or once it splits a line at another separator. */
export const FORMULAS: readonly string[] = [
  '=1+1',
  '+966500000011',
  '-2+3',
  '@SUM(A1)',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  ' =1+1',
  '\u00A0=1+1',
  '\uFEFF=1+1',
  '\u200F=1+1',
  'a;"=1+1',
  'a\t=1+1',
  'a,=1+1',
  'a;=1+1',
  'a"=1+1',
  'a\n=1+1',
  'a\r\n@SUM(A1)',
  'a","=1+1',
];

/** Seconds by which the clock of a phone or of a shop's server is wrong. */
export const CLOCK_ERRORS_SECONDS: readonly number[] = [-86_400, -3_600, -60, 60, 3_600, 86_400];

/** One more than a page of 50: the last of them must be found too. */
export const ONE_PAGE_AND_ONE = 51;
