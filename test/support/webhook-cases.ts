import { createHmac } from 'node:crypto';
import { NAMES } from './cast.ts';

const SECRETS = [secretOf('A'.repeat(32)), secretOf('B'.repeat(32))] as const;
const STRANGER = secretOf('C'.repeat(32));
/** As many bytes as Standard Webhooks allows at least, and one fewer. */
const SHORTEST = secretOf('D'.repeat(24));
const TOO_SHORT = secretOf('D'.repeat(23));
/** The base64 of this secret ends in one equals sign, so its last letter has bits to spare. */
const UNEVEN = secretOf('E'.repeat(32));
const ID = '01976e2a-7c10-7a52-b3d4-0f9e8c7b6a51';
const TOLERANCE_SECONDS = 300;

/** `secret`: the program has no usable secret, and the error says so. */
export type Verdict = 'good' | 'bad' | 'secret';

/**
 * A signed or forged webhook request. A header with several lines has an array, as PSR-7 gives every header. A secret that
 * is null is absent, as an unset variable is in most languages.
 */
export interface WebhookCase {
  readonly name: string;
  readonly verdict: Verdict;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
  readonly secrets: readonly (string | null)[];
}

interface Signed {
  readonly keys?: readonly Uint8Array[];
  readonly body?: string;
  readonly at?: string;
}

/** Requests that a receiver must accept or refuse at this time. Every verifier that is shipped or shown judges them. */
export function webhookCasesAt(nowMs: number): readonly WebhookCase[] {
  const now = Math.floor(nowMs / 1000);
  const bodyOf = (name: string) => JSON.stringify({ id: ID, type: 'shipment.delivered', data: { name } });
  const body = bodyOf('سارة');
  const sign = ({ keys = [keyOf(SECRETS[0])], body: text = body, at = String(now) }: Signed = {}) => ({
    'webhook-id': ID,
    'webhook-timestamp': at,
    'webhook-signature': keys.map((key) => signatureOf(key, `${ID}.${at}.${text}`)).join(' '),
  });
  const good = sign();
  const signature = good['webhook-signature'];
  const both = sign({ keys: SECRETS.map(keyOf) });
  const empty = sign({ keys: [new Uint8Array()] });
  const signedBy = (secret: string, decoded = keyOf(secret)) => ({
    headers: sign({ keys: [decoded] }),
    secrets: [secret],
  });
  const without = (name: keyof typeof good) => ({
    headers: Object.fromEntries(Object.entries(good).filter(([given]) => given !== name)),
  });
  const withHeader = (name: string, value: string | readonly string[]) => ({ headers: { ...good, [name]: value } });

  const accepted: readonly Row[] = [
    ['signed', {}],
    ['signed-by-both', { headers: both, secrets: [SECRETS[0]] }],
    ['signed-by-both-later', { headers: both, secrets: [SECRETS[1]] }],
    ['one-of-two-secrets', { secrets: [STRANGER, SECRETS[0]] }],
    ['no-second-secret', { secrets: [SECRETS[0], null] }],
    ['no-first-secret', { secrets: [null, SECRETS[0]] }],
    ['shortest-secret', signedBy(SHORTEST)],
    ['other-version-first', withHeader('webhook-signature', `v2,AAAA ${signature}`)],
    ['other-signatures-around', withHeader('webhook-signature', `v1,AAAA v1 ${signature} v1a,é v1,`)],
    ['almost-too-old', { headers: sign({ at: String(now - TOLERANCE_SECONDS + 60) }) }],
    ['almost-too-new', { headers: sign({ at: String(now + TOLERANCE_SECONDS - 60) }) }],
    ['capitals', { headers: { 'Webhook-Id': ID, 'WEBHOOK-TIMESTAMP': String(now), 'webHook-Signature': signature } }],
    ['arrays', { headers: Object.fromEntries(Object.entries(good).map(([name, value]) => [name, [value]])) }],
    ...NAMES.map(
      ({ name }, index): Row => [`name-${index}`, { body: bodyOf(name), headers: sign({ body: bodyOf(name) }) }],
    ),
  ];
  const refused: readonly Row[] = [
    ['too-old', { headers: sign({ at: String(now - TOLERANCE_SECONDS - 60) }) }],
    ['too-new', { headers: sign({ at: String(now + TOLERANCE_SECONDS + 60) }) }],
    ['of-1970', { headers: sign({ at: '0' }) }],
    ['far-future', { headers: sign({ at: '9'.repeat(12) }) }],
    ['endless-time', { headers: sign({ at: '9'.repeat(30) }) }],
    ['negative-time', { headers: sign({ at: `-${now}` }) }],
    ['plus-time', { headers: sign({ at: `+${now}` }) }],
    ['time-with-fraction', { headers: sign({ at: `${now}.0` }) }],
    ['time-in-milliseconds', { headers: sign({ at: String(nowMs) }) }],
    ['zeros-before-time', { headers: sign({ at: `00000${now}` }) }],
    [
      'arabic-digits',
      { headers: sign({ at: String(now).replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit))) }) },
    ],
    ['spaces-around-time', { headers: sign({ at: ` ${now} ` }) }],
    ['odd-time', withHeader('webhook-timestamp', 'soon')],
    ['empty-time', withHeader('webhook-timestamp', '')],
    ['other-body', { body: body.replace('delivered', 'cancelled') }],
    ['other-letters', { body: bodyOf('ساره') }],
    ['other-id', withHeader('webhook-id', ID.replace('0', '1'))],
    ['other-time', withHeader('webhook-timestamp', String(now + 1))],
    ['other-secret', { secrets: [STRANGER] }],
    ['cut-off', withHeader('webhook-signature', signature.slice(0, -4))],
    ['no-equals-sign', withHeader('webhook-signature', signature.replace('=', ''))],
    ['spare-bits', withHeader('webhook-signature', withSpareBit(signature))],
    ['letters-between', withHeader('webhook-signature', signature.replace('v1,', 'v1,*'))],
    ['no-version', withHeader('webhook-signature', signature.replace('v1,', ''))],
    ['other-version', withHeader('webhook-signature', signature.replace('v1,', 'v2,'))],
    ['capital-version', withHeader('webhook-signature', signature.replace('v1,', 'V1,'))],
    ['hexadecimal', withHeader('webhook-signature', `v1,${Buffer.from(signature.slice(3), 'base64').toString('hex')}`)],
    ['not-ascii', withHeader('webhook-signature', 'v1,é')],
    ['empty-signature', withHeader('webhook-signature', '')],
    ['version-alone', withHeader('webhook-signature', 'v1,')],
    ['no-id', without('webhook-id')],
    ['no-time', without('webhook-timestamp')],
    ['no-signature', without('webhook-signature')],
    ['nothing', { headers: {} }],
    ['no-values', withHeader('webhook-signature', [])],
    ['two-ids', withHeader('webhook-id', [ID, ID])],
    ['two-times', withHeader('webhook-timestamp', [String(now), '0'])],
    ['two-signatures', withHeader('webhook-signature', [signature, 'v1,AAAA'])],
    ['two-signatures-forged-first', withHeader('webhook-signature', ['v1,AAAA', signature])],
    ['folded-signatures', withHeader('webhook-signature', `v1,AAAA, ${signature}`)],
    ['folded-times', withHeader('webhook-timestamp', `${now}, ${now}`)],
    ['two-spellings', withHeader('Webhook-Signature', 'v1,AAAA')],
    ['empty-key', { headers: empty }],
  ];
  const unusable: readonly Row[] = [
    ['empty-secret', { headers: empty, secrets: [''] }],
    ['prefix-alone', { headers: empty, secrets: ['whsec_'] }],
    ['empty-second-secret', { headers: empty, secrets: [SECRETS[0], ''] }],
    ['empty-second-secret-of-a-good-one', { secrets: [SECRETS[0], ''] }],
    ['prefix-as-second-secret', { headers: empty, secrets: [SECRETS[0], 'whsec_'] }],
    ['no-secrets', { headers: empty, secrets: [] }],
    ['only-absent-secrets', { headers: empty, secrets: [null, null] }],
    ['blank-secret', { headers: empty, secrets: [' '] }],
    ['short-secret', signedBy(TOO_SHORT)],
    ['one-byte', signedBy('whsec_QQ==')],
    ['no-prefix', signedBy(SECRETS[0].slice(6), keyOf(SECRETS[0]))],
    ['cut-prefix', signedBy(SECRETS[0].slice(6), Buffer.from(SECRETS[0].slice(12), 'base64'))],
    ['other-prefix', signedBy(SECRETS[0].replace('whsec_', 'whsk__'), keyOf(SECRETS[0]))],
    ['capital-prefix', signedBy(SECRETS[0].replace('whsec_', 'WHSEC_'), keyOf(SECRETS[0]))],
    // As it stands before a signature.
    ['version-before-secret', signedBy(`v1,${SECRETS[0]}`, keyOf(SECRETS[0]))],
    ['line-feed-after', signedBy(`${SECRETS[0]}\n`, keyOf(SECRETS[0]))],
    ['space-before', signedBy(` ${SECRETS[0]}`, keyOf(SECRETS[0]))],
    ['letters-in-secret', signedBy(`${SECRETS[0]}***`, keyOf(SECRETS[0]))],
    ['secret-not-ascii', signedBy('whsec_سرسرسرسرسرسرسرسرسرسرسرسرسرسرسرسر', new Uint8Array())],
    ['secret-for-addresses', signedBy(`whsec_${'_-'.repeat(20)}`, Buffer.from('_-'.repeat(20), 'base64url'))],
    ['secret-without-equals-sign', signedBy(UNEVEN.replace('=', ''), keyOf(UNEVEN))],
    ['secret-with-spare-bits', signedBy(withSpareBit(UNEVEN), keyOf(UNEVEN))],
  ];
  const casesOf = (verdict: Verdict, rows: readonly Row[]) =>
    rows.map(([name, changes]) => ({ name, verdict, headers: good, body, secrets: [SECRETS[0]], ...changes }));
  return [...casesOf('good', accepted), ...casesOf('bad', refused), ...casesOf('secret', unusable)];
}

type Row = readonly [string, Partial<Omit<WebhookCase, 'name' | 'verdict'>>];

function secretOf(text: string): string {
  return `whsec_${Buffer.from(text).toString('base64')}`;
}

function keyOf(secret: string): Uint8Array {
  return Buffer.from(secret.slice('whsec_'.length), 'base64');
}

function signatureOf(key: Uint8Array, content: string): string {
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/** The same bytes in base64 that no encoder writes: the last letter before the equals sign has a bit more. */
function withSpareBit(base64: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return base64.replace(/(.)=$/, (_, last: string) => `${letters[letters.indexOf(last) + 1]}=`);
}
