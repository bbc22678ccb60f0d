import { instantFromMillis } from '../../src/core/instant.ts';
import { signedHeaders } from '../../src/domain/webhooks/signature.ts';

const SECRETS = [`whsec_${btoa('A'.repeat(32))}`, `whsec_${btoa('B'.repeat(32))}`] as const;
const STRANGER = `whsec_${btoa('C'.repeat(32))}`;
const ID = '01976e2a-7c10-7a52-b3d4-0f9e8c7b6a51';
const BODY = '{"type":"shipment.delivered","data":{"name":"سارة"}}';
const TOLERANCE_MS = 300_000;

/** A signed or forged webhook request. */
export interface WebhookCase {
  readonly name: string;
  readonly isGood: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly secrets: readonly string[];
}

/** Requests that a receiver must accept or refuse at this time. */
export async function webhookCasesAt(nowMs: number): Promise<readonly WebhookCase[]> {
  const sign = (secrets: readonly string[], atMs = nowMs) =>
    signedHeaders({ id: ID, body: BODY, at: instantFromMillis(atMs) }, secrets);
  const good = await sign([SECRETS[0]]);
  const cases: readonly (readonly [string, boolean, Partial<WebhookCase>])[] = [
    ['signed', true, {}],
    ['signed-by-both', true, { headers: await sign(SECRETS), secrets: [SECRETS[0]] }],
    ['signed-by-both-later', true, { headers: await sign(SECRETS), secrets: [SECRETS[1]] }],
    ['one-of-two-secrets', true, { secrets: [STRANGER, SECRETS[0]] }],
    [
      'other-version-first',
      true,
      { headers: { ...good, 'webhook-signature': `v2,AAAA ${good['webhook-signature']}` } },
    ],
    ['almost-too-old', true, { headers: await sign([SECRETS[0]], nowMs - TOLERANCE_MS + 60_000) }],
    ['too-old', false, { headers: await sign([SECRETS[0]], nowMs - TOLERANCE_MS - 60_000) }],
    ['too-new', false, { headers: await sign([SECRETS[0]], nowMs + TOLERANCE_MS + 60_000) }],
    ['other-body', false, { body: BODY.replace('delivered', 'cancelled') }],
    ['other-id', false, { headers: { ...good, 'webhook-id': ID.replace('0', '1') } }],
    ['other-time', false, { headers: { ...good, 'webhook-timestamp': String(Number(good['webhook-timestamp']) + 1) } }],
    ['other-secret', false, { secrets: [STRANGER] }],
    ['cut-off', false, { headers: { ...good, 'webhook-signature': good['webhook-signature'].slice(0, -4) } }],
    ['no-time', false, { headers: { ...good, 'webhook-timestamp': '' } }],
    ['odd-time', false, { headers: { ...good, 'webhook-timestamp': 'soon' } }],
    ['no-signature', false, { headers: { ...good, 'webhook-signature': '' } }],
  ];
  return cases.map(([name, isGood, changes]) => ({
    name,
    isGood,
    headers: good,
    body: BODY,
    secrets: [SECRETS[0]],
    ...changes,
  }));
}
