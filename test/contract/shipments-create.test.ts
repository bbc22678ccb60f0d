import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { ITEM, newKey, newReference, readShipment, shipmentBody } from '../../scripts/shared/shipments.ts';
import { storedOf } from '../support/rows.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment);
const merchant = await merchantOf(environment, company);

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

describe('POST shipments answers 201', () => {
  it('with the whole shipment', async () => {
    const response = await merchant.postShipment(
      shipmentBody(company, { externalReference: 'whole', requirements: ['FRAGILE'] }),
    );
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({
      shipmentId: expect.stringMatching(UUID_V7),
      shipmentNumber: expect.stringMatching(/^SHP-[0-9A-HJKMNP-TV-Z]{10}[0-9A-HJKMNP-Z*~$=]$/),
      externalReference: 'whole',
      state: 'PENDING_APPROVAL',
      recipientName: 'Noura Al-Harbi',
      maskedRecipientPhone: '********5678',
      totalWeightKilograms: 2.5,
      declaredValue: 250,
      codAmount: 0,
      currency: 'SAR',
      paymentMethod: 'PREPAID',
      pickupWindowStart: '2030-01-31T09:00:00.000000Z',
      pickupWindowEnd: '2030-01-31T12:00:00.000000Z',
      createdAt: expect.stringMatching(INSTANT),
      approvedAt: null,
      version: 0,
      destination: { addressLine: '4 Prince Sultan Street, Jeddah', cityCode: 'JED', latitude: 21.5, longitude: 39.25 },
      pickup: { addressLine: '12 King Faisal Road, Abha', cityCode: 'AHB', latitude: 18.216389, longitude: 42.505 },
      items: [{ description: 'Coffee beans', quantity: 2, weightKilograms: 1.25 }],
      requirements: ['FRAGILE'],
    });
  });

  it('with the entity tag, location and language of the shipment', async () => {
    const response = await merchant.postShipment(shipmentBody(company));
    const { shipmentId } = await readShipment(response);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      etag: '"0"',
      location: `/v2/external/shipments/${shipmentId}`,
      'content-language': 'en',
      'cache-control': 'no-store, no-transform',
    });
    expect(response.headers.get('vary')).toMatch(/accept-language/i);
    expect(response.headers.has('idempotency-replayed')).toBe(false);
  });

  it('and stores the shipment, its event and its idempotency key in one unit', async () => {
    const fresh = await addCompany(environment, 'shard-2');
    const sender = await merchantOf(environment, fresh);
    const response = await sender.postShipment(shipmentBody(fresh), {
      'x-correlation-id': '0190d0c8-7a6b-7c3d-8e4f-0123456789ab',
    });
    const { shipmentId, createdAt } = await readShipment(response);
    const select = `select sequence, type, previous_state, state, actor, correlation_id from shipment_events
      where shipment_id = ? and sequence = 1`;
    expect(await environment.sql('shard-2', select, [shipmentId])).toEqual([
      {
        sequence: 1,
        type: 'shipment.created',
        previous_state: null,
        state: 'PENDING_APPROVAL',
        actor: 'MERCHANT',
        correlation_id: '0190d0c8-7a6b-7c3d-8e4f-0123456789ab',
      },
    ]);
    expect(await storedOf(environment, fresh)).toMatchObject({ shipments: 1, keys: 1 });
    const kept = `select r.expires_at - s.created_at as kept from idempotency_records r
      join shipments s on s.company_id = r.company_id where s.id = ?`;
    expect(await environment.sql('shard-2', kept, [shipmentId])).toEqual([{ kept: 7 * 24 * 3600 * 1_000_000 }]);
    expect(createdAt).toMatch(INSTANT);
  });

  it('with a shipment number that ends with its check character', async () => {
    const { shipmentNumber } = await merchant.create();
    const symbols = '0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U';
    const values = [...shipmentNumber.slice(4, 14)].map((symbol) => BigInt(symbols.indexOf(symbol)));
    const value = values.reduce((total, digit) => total * 32n + digit, 0n);
    expect(shipmentNumber.slice(14)).toBe(symbols[Number(value % 37n)]);
  });
});

describe('a recipient', () => {
  it.each(['512345678', '0512345678', '966512345678', '+966512345678'])(
    'is stored in E.164 and shown masked: %s',
    async (phone) => {
      const response = await merchant.postShipment(shipmentBody(company, { recipient: { name: 'Ali', phone } }));
      const text = await response.text();
      expect(response.status).toBe(201);
      expect(text).toContain('"maskedRecipientPhone":"********5678"');
      expect(text).not.toContain('51234');
      const select = 'select recipient_phone from shipments where id = ?';
      expect(await environment.sql(company.shard, select, [idIn(text)])).toEqual([
        { recipient_phone: '+966512345678' },
      ]);
    },
  );

  it('may have an alternate contact, which is stored but not shown', async () => {
    const recipient = {
      name: 'Ali',
      phone: '0512345678',
      alternateContactName: 'Salma',
      alternateContactPhone: '0598765432',
    };
    const response = await merchant.postShipment(shipmentBody(company, { recipient }));
    const text = await response.text();
    expect(text).not.toMatch(/Salma|98765432|5432/);
    const select =
      'select alternate_contact_name as name, alternate_contact_phone as phone from shipments where id = ?';
    expect(await environment.sql(company.shard, select, [idIn(text)])).toEqual([
      { name: 'Salma', phone: '+966598765432' },
    ]);
  });

  it.each([
    ['null', { alternateContactName: null, alternateContactPhone: null }],
    ['an empty name', { alternateContactName: '' }],
    ['a name of 120 code points', { alternateContactName: '😀'.repeat(120) }],
  ])('may have no alternate contact: %s', async (_case, contact) => {
    const recipient = { name: 'Ali', phone: '0512345678', ...contact };
    expect((await merchant.postShipment(shipmentBody(company, { recipient }))).status).toBe(201);
  });
});

describe('a body at its limits', () => {
  it.each([
    ['a reference of one character', { externalReference: 'ش' }],
    ['a reference of 128 code points beyond the BMP', { externalReference: '🚚'.repeat(128) }],
    ['a name of 120 code points', { recipient: { name: '𝒩'.repeat(120), phone: '0512345678' } }],
    ['COD with nothing to collect', { paymentMethod: 'COD', codAmount: 0 }],
    ['COD with something to collect', { paymentMethod: 'COD', codAmount: 99.95 }],
    ['a window that has already begun', { pickupWindowStart: '2020-01-01T00:00:00Z' }],
    ['100 items', { items: Array.from({ length: 100 }, () => ITEM) }],
    [
      'a description of 160 code points and 10,000 pieces',
      { items: [{ ...ITEM, description: '漢'.repeat(160), quantity: 10_000 }] },
    ],
    ['20 requirements', { requirements: Array.from({ length: 20 }, (_, index) => `R${index}`) }],
    ['a requirement of 48 characters', { requirements: [`A${'_'.repeat(47)}`] }],
    [
      'null dimensions of an item',
      { items: [{ ...ITEM, lengthCentimetres: null, widthCentimetres: null, heightCentimetres: null }] },
    ],
  ])('is accepted: %s', async (_case, changes) => {
    const response = await merchant.postShipment(shipmentBody(company, changes));
    expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 201 });
  });

  it('stores the dimensions of an item', async () => {
    const item = { ...ITEM, lengthCentimetres: 30.5, widthCentimetres: 20, heightCentimetres: 0.000001 };
    const shipment = await merchant.create({ items: [item] });
    expect(shipment['items']).toEqual([item]);
  });

  it('adds up the weight of all pieces', async () => {
    const items = [
      { description: 'a', quantity: 3, weightKilograms: 0.1 },
      { description: 'b', quantity: 10_000, weightKilograms: 0.000001 },
    ];
    expect((await merchant.create({ items }))['totalWeightKilograms']).toBe(0.31);
  });
});

it('the same external reference is accepted from two companies', async () => {
  const externalReference = newReference();
  const other = await merchantOf(environment, await addCompany(environment, company.shard));
  await merchant.create({ externalReference });
  expect((await other.create({ externalReference })).version).toBe(0);
});

it('the media type is accepted in any case and with charset UTF-8', async () => {
  for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
    const response = await merchant.post(SHIPMENTS, shipmentBody(company), {
      'content-type': type,
      'idempotency-key': newKey(),
    });
    expect(response.status).toBe(201);
  }
});

function idIn(text: string): string {
  return /"shipmentId":"([^"]+)"/.exec(text)?.[1] ?? '';
}
