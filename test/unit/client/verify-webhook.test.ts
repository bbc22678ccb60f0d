import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { type MirsalEvent, verifyWebhook, type WebhookVerificationError } from '../../../src/client.ts';

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;
const NOW = new Date('2030-01-31T09:00:00Z');
const BODY =
  '{"id":"01976e2d-02aa-7c94-a6b1-54e3f0d9c872","type":"shipment.created","sequence":1,"data":{"shipment":{"declaredValue":12345678901234567.89,"codAmount":0,"version":3,"items":[{"weightKilograms":1.05,"quantity":2}]}}}';

function signed(secret = SECRET, body = BODY, at = NOW): Record<string, string> {
  const id = 'msg_1';
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}
const verify = (
  headers: Parameters<typeof verifyWebhook>[1]['headers'],
  secret: string | string[] = SECRET,
  body = BODY,
) => verifyWebhook(secret, { headers, body }, { nowMs: NOW.getTime() });
async function faultOf(call: Promise<MirsalEvent>): Promise<string> {
  return call.then(
    () => 'none',
    (error: WebhookVerificationError) => error.code,
  );
}

describe('a request of ours', () => {
  it('gives its event, every digit of it', async () => {
    const event = await verify(signed());
    expect(event).toMatchObject({ type: 'shipment.created', sequence: 1 });
    expect(event.data.shipment).toMatchObject({
      declaredValue: '12345678901234567.89',
      codAmount: '0',
      version: 3,
      items: [{ weightKilograms: '1.05', quantity: 2 }],
    });
  });

  it('may have its headers in any form', async () => {
    const plain = signed();
    const shouted = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name.toUpperCase(), [value]]));
    for (const headers of [plain, shouted, new Headers(plain)]) expect(await verify(headers)).toHaveProperty('id');
  });

  it('may be signed with any of many secrets, by any of many signatures', async () => {
    expect(await verify(signed(), [OTHER, SECRET])).toHaveProperty('id');
    const both = `v1a,xyz v1,AAAA ${signed(OTHER)['webhook-signature']} ${signed()['webhook-signature']}`;
    expect(await verify({ ...signed(), 'webhook-signature': both })).toHaveProperty('id');
  });
});

describe('a request of somebody else', () => {
  it.each([
    ['SIGNATURE_MISMATCH', signed(OTHER), BODY],
    ['SIGNATURE_MISMATCH', signed(), `${BODY} `],
    ['SIGNATURE_MISMATCH', { ...signed(), 'webhook-id': 'msg_2' }, BODY],
    ['SIGNATURE_MISMATCH', { ...signed(), 'webhook-signature': 'v1,***' }, BODY],
    ['SIGNATURE_MISMATCH', { ...signed(), 'webhook-signature': '' }, BODY],
    [
      'SIGNATURE_MISMATCH',
      { ...signed(), 'webhook-signature': (signed()['webhook-signature'] ?? '').replace('v1', 'v2') },
      BODY,
    ],
    ['TIMESTAMP_OUT_OF_RANGE', signed(SECRET, BODY, new Date(NOW.getTime() - 301_000)), BODY],
    ['TIMESTAMP_OUT_OF_RANGE', signed(SECRET, BODY, new Date(NOW.getTime() + 301_000)), BODY],
    ['TIMESTAMP_OUT_OF_RANGE', { ...signed(), 'webhook-timestamp': 'now' }, BODY],
    ['MISSING_HEADER', {}, BODY],
    ['NOT_AN_EVENT', signed(SECRET, 'hello'), 'hello'],
    ['NOT_AN_EVENT', signed(SECRET, '[]'), '[]'],
  ])('is %s', async (fault, headers, body) => {
    expect(await faultOf(verify(headers, SECRET, body))).toBe(fault);
  });

  it('is told from a secret that is none', async () => {
    await expect(verify(signed(), 'secret')).rejects.toThrow(TypeError);
  });
});
