import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { type MirsalEvent, verifyWebhook, type WebhookFault, WebhookVerificationError } from '../../../src/client.ts';

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

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}
const { components } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
  components: { schemas: Record<string, Schema> };
};

/** The names of all members, at any depth, that are numbers but not integers in the document. */
function decimalsOf(name: string): string[] {
  const membersOf = ({ $ref, properties, items, anyOf, allOf }: Schema): [string, Schema][] => [
    ...Object.entries(properties ?? {}).flatMap(([member, schema]): [string, Schema][] => [
      [member, schema],
      ...membersOf(schema),
    ]),
    ...[...(items === undefined ? [] : [items]), ...(anyOf ?? []), ...(allOf ?? [])].flatMap(membersOf),
    ...($ref === undefined ? [] : membersOf(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {})),
  ];
  const isDecimal = ({ type }: Schema) => [type].flat().includes('number');
  const found = membersOf({ $ref: name }).filter(([, schema]) => isDecimal(schema));
  return [...new Set(found.map(([member]) => member))];
}

describe('a signed request', () => {
  it('returns its event with every digit', async () => {
    const event = await verify(signed());
    expect(event).toMatchObject({ type: 'shipment.created', sequence: 1 });
    expect(event.data.shipment).toMatchObject({
      declaredValue: '12345678901234567.89',
      codAmount: '0',
      version: 3,
      items: [{ weightKilograms: '1.05', quantity: 2 }],
    });
  });

  it('returns every decimal of a shipment as text and everything else unchanged', async () => {
    const decimals = decimalsOf('Shipment');
    expect(decimals).toContain('weightKilograms');
    const members = decimals.map((name) => `"${name}":46.123456789012345678`).join();
    const body = `{"id":"1","type":"shipment.created","data":{${members},"note":"7","heightCentimetres2":1.5}}`;
    const { data } = await verify(signed(SECRET, body), SECRET, body);
    const texts = Object.fromEntries(decimals.map((name) => [name, '46.123456789012345678']));
    expect(data).toEqual({ ...texts, note: '7', heightCentimetres2: 1.5 });
    const absent = '{"id":"1","type":"shipment.created","data":{"lengthCentimetres":null,"declaredValue":"1.50"}}';
    expect(await verify(signed(SECRET, absent), SECRET, absent)).toMatchObject({
      data: { lengthCentimetres: null, declaredValue: '1.50' },
    });
  });

  it('accepts the body as text or bytes, and names a parsed one as the mistake', async () => {
    const bytes = new TextEncoder().encode(BODY);
    for (const body of [BODY, bytes, Buffer.from(BODY), bytes.buffer])
      expect(await verifyWebhook(SECRET, { headers: signed(), body }, { nowMs: NOW.getTime() })).toHaveProperty('id');
    const parsed = JSON.parse(BODY) as string;
    await expect(verifyWebhook(SECRET, { headers: signed(), body: parsed })).rejects.toThrow(
      'read the raw body instead',
    );
  });

  it('accepts headers in any form', async () => {
    const plain = signed();
    const shouted = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name.toUpperCase(), [value]]));
    for (const headers of [plain, shouted, new Headers(plain)]) expect(await verify(headers)).toHaveProperty('id');
  });

  it.each([
    [301, 'TIMESTAMP_OUT_OF_RANGE'],
    [300, 'none'],
    [-300, 'none'],
    [-301, 'TIMESTAMP_OUT_OF_RANGE'],
  ])('that is %i seconds old has the result %s', async (seconds, fault) => {
    const at = new Date(NOW.getTime() - seconds * 1000);
    expect(await faultOf(verify(signed(SECRET, BODY, at)))).toBe(fault);
  });

  it('may be as old as its receiver allows', async () => {
    const request = { headers: signed(SECRET, BODY, new Date(NOW.getTime() - 10_000)), body: BODY };
    const within = (toleranceSeconds: number) =>
      faultOf(verifyWebhook(SECRET, request, { toleranceSeconds, nowMs: NOW.getTime() }));
    expect([await within(10), await within(9)]).toEqual(['none', 'TIMESTAMP_OUT_OF_RANGE']);
  });

  it('is compared with the current time by default', async () => {
    const request = (at: Date) => ({ headers: signed(SECRET, BODY, at), body: BODY });
    expect(await faultOf(verifyWebhook(SECRET, request(new Date())))).toBe('none');
    expect(await faultOf(verifyWebhook(SECRET, request(NOW)))).toBe('TIMESTAMP_OUT_OF_RANGE');
  });

  it('needs one matching signature and one matching secret of several', async () => {
    expect(await verify(signed(), [OTHER, SECRET])).toHaveProperty('id');
    const both = `v1a,xyz v1,AAAA ${signed(OTHER)['webhook-signature']} ${signed()['webhook-signature']}`;
    expect(await verify({ ...signed(), 'webhook-signature': both })).toHaveProperty('id');
  });
});

const WRONG: readonly (readonly [WebhookFault, Parameters<typeof verify>[0], string])[] = [
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
  ['TIMESTAMP_OUT_OF_RANGE', { ...signed(), 'webhook-timestamp': `-${signed()['webhook-timestamp']}` }, BODY],
  ['TIMESTAMP_OUT_OF_RANGE', { ...signed(), 'webhook-timestamp': `${signed()['webhook-timestamp']}.0` }, BODY],
  ['TIMESTAMP_OUT_OF_RANGE', { ...signed(), 'webhook-timestamp': ` ${signed()['webhook-timestamp']}` }, BODY],
  ['TIMESTAMP_OUT_OF_RANGE', { ...signed(), 'webhook-timestamp': `000${signed()['webhook-timestamp']}` }, BODY],
  ['MISSING_HEADER', {}, BODY],
  ['MISSING_HEADER', { ...signed(), 'webhook-id': undefined }, BODY],
  ['MISSING_HEADER', { ...signed(), 'webhook-timestamp': undefined }, BODY],
  ['MISSING_HEADER', { ...signed(), 'webhook-signature': undefined }, BODY],
  ['MISSING_HEADER', { ...signed(), 'webhook-signature': [] }, BODY],
  ...['hello', '[]', 'null', '1', '"event"', '{}', '{"id":"1"}', '{"type":"shipment.created"}'].map(
    (body): (typeof WRONG)[number] => ['NOT_AN_EVENT', signed(SECRET, body), body],
  ),
];

describe('a request from someone else', () => {
  it.each(WRONG)('is %s', async (fault, headers, body) => {
    expect(await faultOf(verify(headers, SECRET, body))).toBe(fault);
  });

  it('is refused with an error that has only the reason', async () => {
    const error: unknown = await verify({}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WebhookVerificationError);
    expect(error).toMatchObject({ name: 'WebhookVerificationError', code: 'MISSING_HEADER' });
    expect(String(error)).toContain('MISSING_HEADER');
  });

  it.each(['secret', SECRET.slice(6), 'whsec_', 'whsec_***'])(
    'is distinguished from an invalid secret: %s',
    async (secret) => {
      await expect(verify(signed(), secret)).rejects.toThrow(TypeError);
      await expect(verify(signed(), secret)).rejects.toThrow('A signing secret starts with whsec_');
    },
  );
});
