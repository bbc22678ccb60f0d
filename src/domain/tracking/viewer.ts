/** What a request says of the program that sends it. */
export interface Sender {
  readonly method: string;
  readonly userAgent: string | null;
  /** `Sec-Purpose`, `Purpose`, `X-Purpose` and `X-Moz`: how browsers name a request that nobody has asked for yet. */
  readonly purposes: readonly (string | null)[];
}

/**
 * Programs that open a link although nobody looks at it: previews in chats, search engines, scanners of mail, checkers of links.
 * The first line is how programs name themselves: with their home page, or as a bot (Cubot makes phones). Browsers within apps,
 * such as `Telegram-Android/`, `[FBAN/` and `Instagram`, are people.
 */
const PROGRAMS = new RegExp(
  [
    String.raw`\+https?:|(?<!cu)bot\b|crawler|spider|scanner|preview|link.?check|headless|lighthouse`,
    // Chats and networks. Signal says that it is WhatsApp, and iMessage that it is several of these.
    '^whatsapp/|^viber/|facebookexternalhit|facebookcatalog|meta-external|slack-imgproxy|vkshare|embedly|iframely',
    'kakaotalk-scrap|line-poker|mastodon/|^skype|^discord|^tumblr/|^pinterest/|^bluesky|^snapchat',
    // Search engines, and proxies of mail.
    'google-|googleother|googleimageproxy|googlemessages|google web|slurp|yahoomailproxy|bingpreview|outlookmobilecloudservice',
    // Scanners of mail and links.
    'ms-office|microsoft office|barracuda|proofpoint|mimecast|messagelabs|symantec|fireeye|trend ?micro|sophos|cloudmark',
    'netcraft|urlscan|virustotal|phishtank|safebrowsing|forcepoint|fortiguard|checkpoint|w3c_validator',
  ].join('|'),
  'i',
);

/** Longer than those of browsers. */
const USER_AGENT_LENGTH_MAX = 512;

/** Whether a person looks at the answer, as far as the request tells. */
export function isFromPerson({ method, userAgent, purposes }: Sender): boolean {
  if (method === 'HEAD') return false;
  if (purposes.some((purpose) => /prefetch|prerender|preview/i.test(purpose ?? ''))) return false;
  return !PROGRAMS.test((userAgent ?? '').slice(0, USER_AGENT_LENGTH_MAX));
}
