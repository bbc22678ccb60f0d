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
  // The sign between Arabic digits runs from right to left, in an isolate too.
  { line: 'تاريخ ٣٠-١١-٢٠٢٦، الرمز ١٢٢١١-٨٧٦٥', numbers: ['٣٠-١١-٢٠٢٦', '١٢٢١١-٨٧٦٥'] },
  { line: 'flat ١٢-٣٤, King Fahd Road', numbers: ['١٢-٣٤'] },
  { line: 'هاتف ٠٥٠ ١٢٣ ٤٥٦٧ أو 800 123 4567', numbers: ['٠٥٠ ١٢٣ ٤٥٦٧', '800 123 4567'] },
  { line: 'شقة 12-A أو A-12-3، مبنى ٣+٤', numbers: ['12-A', 'A-12-3', '٣+٤'] },
  { line: 'الرمز 12211 - 8765، الرياض', numbers: ['12211 - 8765'] },
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
  // As spreadsheets and programs export it.
  { typed: "'0500000011", e164: '+966500000011' },
  { typed: '500000011.0', e164: '+966500000011' },
  { typed: '="0500000011"', e164: '+966500000011' },
  { typed: 'https://wa.me/966500000011', e164: '+966500000011' },
  // The plus sign of a number in a line from right to left, and digits of other keyboards.
  { typed: '966500000011+', e164: '+966500000011' },
  { typed: '०५००००००११', e164: '+966500000011' },
  { typed: '0️⃣5️⃣00000011', e164: '+966500000011' },
  { typed: '050\u2212000\u30fb0011', e164: '+966500000011' },
  { typed: '\ufeff050\u00ad0000011\u2060', e164: '+966500000011' },
  { typed: '📞 050_000/0011', e164: '+966500000011' },
  { typed: '050ـ000~0011', e164: '+966500000011' },
  { typed: '߀߅߀ ߀߀߀ ߀߀߁߁', e164: '+966500000011' },
  // Out of a list.
  { typed: '0500000011، \u200F', e164: '+966500000011' },
];

/** Texts that are not a Saudi mobile number. */
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
  // A spreadsheet has rounded it.
  '9.665E+11',
  '+966 50 *** 0011',
  '0500000011#',
  '05000000?1',
  '+966 50 000 0011 / 2',
  '0500000011 تحويلة ٤',
  '0500000011,4',
];

/** Spellings of one order number. */
export const SAME_REFERENCE: readonly string[] = [
  'A-1001',
  'A-1001 ',
  '\u00A0A-1001',
  'A-1001\u200F',
  '\u202AA-1001\u202C',
  '\uFEFFA-1001',
  '\tA-1001\r\n',
  'A-1001\u200B\u200D',
  'A-1001\uFE0F',
  '\u3000A-1001\u2028',
  '\u2067A-1001\u2069',
  'A\u200B-\u200D1001',
  'A-\u200F10\u00AD01',
  '\uFFFCA-1001',
];

/** References that are alike on the screen, as one is stored. */
export const ALIKE_REFERENCES: readonly { readonly typed: readonly string[]; readonly stored: string }[] = [
  { typed: ['A 1001', 'A\u00A01001', 'A \u200B 1001', 'A\t1001', 'A\u20281001', 'A  1001'], stored: 'A 1001' },
  { typed: ['Café-1', 'Cafe\u0301-1', 'Cafe\u200B\u0301-1'], stored: 'Café-1' },
  // A joiner between Persian letters, and the form of a picture, are seen.
  { typed: ['می\u200Cرود-1', 'می\u200Cرود-\u200C1'], stored: 'می\u200Cرود-1' },
  { typed: ['❤\uFE0F 1', '❤\uFE0F\u200E 1'], stored: '❤\uFE0F 1' },
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
  '\u2800',
  '\u3164\uFE0F',
  '\u{E0041}',
  '\u0001\u0085',
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
  { typed: '０１２', value: 12 },
  { typed: "'12", value: 12 },
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
  { typed: '\u200F١٬٢٣٤٫٥٠ ر.س.\u200F', value: '1234.5' },
  { typed: '1٬234.50', value: '1234.5' },
  { typed: "1'234.50", value: '1234.5' },
  { typed: '1،234.50', value: '1234.5' },
  { typed: '1234،5', value: '1234.5' },
  { typed: '\uFDFC 1,234.50', value: '1234.5' },
  { typed: '\u20C1\u00A01,234.50', value: '1234.5' },
  { typed: '1,234.50 ريال', value: '1234.5' },
  { typed: '١٬٢٣٤٫٥ ريالاً سعودياً', value: '1234.5' },
  { typed: 'S.R. 1,234.50', value: '1234.5' },
  { typed: '1´234.50', value: '1234.5' },
  { typed: '1,234,567', value: '1234567' },
  { typed: '1.234.567', value: '1234567' },
  { typed: '12,34,567.5', value: '1234567.5' },
  { typed: '0,125', value: '0.125' },
  { typed: '1234,567', value: '1234.567' },
  { typed: '.5', value: '0.5' },
  { typed: '007.50', value: '7.5' },
  { typed: '\u22125', value: '-5' },
];

/** Numbers that mean a thousand times more, or less, to somebody else: as they are read, the other way, and as a page shows it. */
export const DOUBTFUL_NUMBERS: readonly Readonly<Record<'typed' | 'value' | 'other' | 'shown', string>>[] = [
  { typed: '1,234', value: '1234', other: '1.234', shown: '1234' },
  { typed: '1.234', value: '1.234', other: '1234', shown: '1.2340' },
  { typed: '١،٢٣٤', value: '1234', other: '1.234', shown: '1234' },
  { typed: '12.500', value: '12.5', other: '12500', shown: '12.5' },
];

/** Texts that are not a number. */
export const NOT_NUMBERS: readonly string[] = [
  '',
  '\u200F',
  'two',
  '1.2.3',
  '1,23,4',
  '12 34',
  '1.234.50',
  '1,234.567.890',
  '1.',
  '1,',
  ',',
  '-',
  '1-2',
  '5 USD',
  '2²',
];

/** Phones that are not Saudi mobiles. They are read only with their country code. */
export const TELEPHONES: readonly { readonly typed: string; readonly e164: string }[] = [
  { typed: '+971501234567', e164: '+971501234567' },
  { typed: '00971 50 123 4567', e164: '+971501234567' },
  { typed: '\u202A+966 (0) 11 234 5678\u202C', e164: '+966112345678' },
  { typed: '966112345678', e164: '+966112345678' },
  { typed: '+٩٦٦ ١١ ٢٣٤ ٥٦٧٨', e164: '+966112345678' },
  { typed: '+44 (0)20 7946 0000', e164: '+442079460000' },
];

/** Texts whose last character is invisible and changes how the one before it is drawn. */
export const KEPT_EDGES: readonly string[] = [
  'متجر ❤️',
  '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
  'രാജന്\u200D',
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
  { typed: '\u200Eｒｕｈ', cityCode: 'RUH' },
  { typed: 'جدة', cityCode: 'JED' },
  { typed: 'جده', cityCode: 'JED' },
  { typed: 'جِدّة', cityCode: 'JED' },
  { typed: 'Mecca', cityCode: 'MKK' },
  { typed: 'Medina', cityCode: 'MED' },
  { typed: 'Jiddah', cityCode: 'JED' },
  { typed: 'جيزان', cityCode: 'GIZ' },
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

/** Programs that open links without a person, by their User-Agent. */
export const LINK_PROGRAMS: readonly string[] = [
  'WhatsApp/2.23.20.0 A',
  'WhatsApp/2.16.16/i',
  'WhatsApp/2',
  'TelegramBot (like TwitterBot)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  'Twitterbot/1.0',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Slack-ImgProxy (+https://api.slack.com/robots)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  // iMessage
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
  'Viber/5.5.0.3531 CFNetwork/758.5.3 Darwin/15.6.0',
  'facebookexternalhit/1.1;line-poker/1.0',
  'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)',
  'Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Safari/537.36',
  'Mozilla/5.0 (compatible; Google-InspectionTool/1.0;)',
  'GoogleOther',
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  // Outlook.com opens the links of mails with it.
  'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b',
  'Mozilla/4.0 (compatible; ms-office; MSOffice 16)',
  'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.5056; Pro)',
  'Mozilla/5.0 (compatible; Barracuda Link Protect)',
  'Mimecast Ltd',
  'Mozilla/5.0 (compatible; Applebot/0.1; +http://www.apple.com/go/applebot)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36',
];

/** Browsers of people, also within apps and on phones whose names look like those of programs. */
export const BROWSERS: readonly string[] = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 13; SAMSUNG SM-A536E) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/24.0 Chrome/117.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:125.0) Gecko/20100101 Firefox/125.0',
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36 Telegram-Android/11.4.3 (Google Pixel 8; Android 14; SDK 34; HIGH)',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 16_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/416.0.0.35.85]',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 330.0.0.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Snapchat/12.80.0.38 (like Safari/8617, panda)',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) GSA/300.0.598994205 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/90.0.4430.91 Mobile Safari/537.36',
  'Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; id) Presto/2.12.423 Version/12.16',
];

/** Headers of requests that a browser sends before anybody has asked for the page. */
export const PREFETCHES: readonly Readonly<Record<string, string>>[] = [
  { purpose: 'prefetch' },
  { 'sec-purpose': 'prefetch' },
  { 'sec-purpose': 'prefetch;prerender' },
  { 'sec-purpose': 'prefetch;anonymous-client-ip' },
  { 'x-purpose': 'preview' },
  { 'x-moz': 'prefetch' },
];

/** What chats, mails and people stick to the end of a link. */
export const LINK_ENDS: readonly string[] = [
  ...`/ // /. . .. ... , ، ؛ ؟ ! : ; ) ). ] } > " ' ’ ” » * _ ~ | = &quot; /) /" % وشكرا`.split(' '),
  ...'%2E %2F %D8%8C %E2%80%8F %22 %27/ %29.'.split(' '),
  ...['/\u200F', '\u200E', '\u200F', '\u202C', '\u2069', '\u200B', '\uFEFF', '\u00A0', '\u3002', '.Thank you'],
];

/** Texts with a character that labels cannot print, or without any character to print. */
export const UNPRINTABLE_TEXTS: readonly string[] = [
  '田中さくら',
  '김민수',
  'Sara \u{1F600}',
  'አበበ በቂላ',
  '\u{1D173}',
  '\u2800',
  ' \u200B\uFEFF',
  '\u3164',
  '\u200D\u200C',
];
