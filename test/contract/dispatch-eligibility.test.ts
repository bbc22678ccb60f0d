import { describe, expect, it } from 'vitest';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { DESTINATION, ITEM, type JsonObject, readShipment, readTimelinePage } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { addCompanyIn, addDriver, letFallDue, newCity } from '../support/fleet.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/*
 * Which shipments can be carried, and by which drivers. The largest sample level takes 1,000 kg, 400 cm, FRAGILE,
 * SIGNATURE and TAIL_LIFT to Jeddah. One driver in the pickup city can carry more than every level.
 */

const environment = sharedEnvironment();
const city = newCity();
const ABLE = {
  capabilities: ['COLD_CHAIN', 'FRAGILE', 'SIGNATURE', 'TAIL_LIFT'],
  weightKilogramsMax: '9999',
  lengthCentimetresMax: '9999',
  activeMax: 100,
};
await addDriver(environment, city, ABLE);
const merchant = await merchantOf(environment, await addCompanyIn(environment, city));

const stateOf = async (shipmentId: string) =>
  (await readShipment(await merchant.get(`${SHIPMENTS}/${shipmentId}`))).state;
const untilState = (shipmentId: string, state: string) =>
  until(`${shipmentId} is ${state}`, async () => ((await stateOf(shipmentId)) === state ? true : undefined));
const timelineOf = async (shipmentId: string) =>
  (await readTimelinePage(await merchant.get(`${SHIPMENTS}/${shipmentId}/timeline`))).data.map(({ type }) => type);
const item = (changes: JsonObject) => ({ items: [ITEM, { ...ITEM, ...changes }] });
const levelOf = async (shipmentId: string) => {
  const select = 'select service_level_code as code from shipments where id = ?';
  return (await environment.sql('shard-1', select, [shipmentId]))[0]?.['code'];
};

describe('the lists of cities and capabilities', () => {
  it('have what can be ordered, in both languages, and a tag', async () => {
    const cities = await merchant.get('/v2/external/cities');
    expect(cities.status).toBe(200);
    const { data } = (await cities.json()) as { data: { cityCode: string }[] };
    expect(data.map(({ cityCode }) => cityCode)).toEqual(['DMM', 'JED', 'MED', 'MKK', 'RUH']);
    expect(data[0]).toEqual({ cityCode: 'DMM', name: 'Dammam', nameAr: 'الدمام', serviced: true, surcharge: 5 });
    const tag = cities.headers.get('etag') ?? '';
    expect((await merchant.get('/v2/external/cities', { 'if-none-match': tag })).status).toBe(304);
    expect(cities.headers.get('cache-control')).toBe('private, max-age=60, no-transform');
    expect(cities.headers.get('vary')).toContain('Authorization');

    const capabilities = await merchant.get('/v2/external/capabilities');
    expect(await capabilities.json()).toMatchObject({
      data: expect.arrayContaining([
        {
          code: 'TAIL_LIFT',
          title: 'Tail lift',
          titleAr: 'رافعة خلفية',
          cities: ['DMM', 'JED', 'MED', 'MKK', 'RUH'],
          weightKilogramsMax: 1000,
          lengthCentimetresMax: 400,
        },
      ]),
    });
  });
});

describe('a service level', () => {
  it.each([
    ['by the lowest suitable rank', {}, 'STANDARD'],
    ['by all requirements', { requirements: ['SIGNATURE', 'TAIL_LIFT'] }, 'HEAVY'],
    // Plus the 2.5 kg of the other item.
    ['up to its weight', item({ quantity: 1, weightKilograms: 47.5 }), 'STANDARD'],
    ['with the next rank above its weight', item({ quantity: 1, weightKilograms: 47.500001 }), 'HEAVY'],
    ['for the weight of all units', item({ quantity: 95, weightKilograms: 0.5 }), 'STANDARD'],
    ['with the next rank for one unit more', item({ quantity: 96, weightKilograms: 0.5 }), 'HEAVY'],
    ['up to its length', item({ lengthCentimetres: 150 }), 'STANDARD'],
    ['with the next rank for a longer item', item({ lengthCentimetres: 150.000001 }), 'HEAVY'],
    ['with the next rank for a wider item', item({ widthCentimetres: 151 }), 'HEAVY'],
    ['with the next rank for a higher item', item({ heightCentimetres: 400 }), 'HEAVY'],
  ])('is chosen %s', async (_name, changes, code) => {
    const { shipmentId } = await merchant.create(changes);
    expect(await levelOf(shipmentId)).toBe(code);
    await untilState(shipmentId, 'OFFERED');
    expect((await merchant.cancel(shipmentId)).status).toBe(200);
  });

  it.each([
    ['requires an unavailable capability', { requirements: ['FRAGILE', 'COLD_CHAIN'] }],
    ['is too heavy by a milligram', item({ quantity: 1, weightKilograms: 997.500001 })],
    ['is too heavy in total', item({ quantity: 10_000, weightKilograms: 0.1 })],
    ['is too long', item({ lengthCentimetres: 400.000001 })],
    ['is too wide', item({ widthCentimetres: 401 })],
    ['is too high', item({ heightCentimetres: 401 })],
  ])(
    'is missing when a shipment %s: it becomes unresolved at once, and no driver gets an offer',
    async (_name, changes) => {
      const { shipmentId } = await merchant.create(changes);
      expect(await levelOf(shipmentId)).toBeNull();
      await untilState(shipmentId, 'DISPATCH_UNRESOLVED');
      expect(await timelineOf(shipmentId)).toEqual([
        'shipment.created',
        'shipment.approved',
        'shipment.dispatch_unresolved',
      ]);
    },
  );
});

describe('a driver', () => {
  it('who cannot carry the shipment gets no offer, and after 15 minutes the shipment is unresolved', async () => {
    const small = newCity();
    await addDriver(environment, small);
    await addDriver(environment, small, { ...ABLE, capabilities: [] });
    const own = await merchantOf(environment, await addCompanyIn(environment, small));
    const waiting = await Promise.all([
      own.createApproved({ requirements: ['TAIL_LIFT'] }),
      own.createApproved({ requirements: ['FRAGILE'], items: [{ ...ITEM, weightKilograms: 40 }] }),
      own.createApproved({ requirements: ['FRAGILE'], items: [{ ...ITEM, lengthCentimetres: 151 }] }),
    ]);
    const age = 'update shipments set ready_since = ready_since - 900000000 where id = ?';
    for (const { shipmentId } of waiting) {
      await environment.sql('shard-1', age, [shipmentId]);
      await letFallDue(environment, own, shipmentId);
    }
    for (const { shipmentId } of waiting) {
      const unresolved = await until(`${shipmentId} is unresolved`, async () => {
        const shipment = await readShipment(await own.get(`${SHIPMENTS}/${shipmentId}`));
        return shipment.state === 'DISPATCH_UNRESOLVED' ? shipment : undefined;
      });
      // Created, approved, unresolved: there was no offer.
      expect(unresolved.version).toBe(2);
    }
  });

  it('is chosen in the pickup city, not in the destination city', async () => {
    const [from, to] = [newCity(), 'MKK'];
    const there = await addDriver(environment, to);
    const own = await merchantOf(environment, await addCompanyIn(environment, from));
    const { shipmentId } = await own.createApproved({ destination: { ...DESTINATION, cityCode: to } });
    const { driverId } = await addDriver(environment, from);
    await letFallDue(environment, own, shipmentId);
    const offers = await until('it is offered', async () => {
      const rows = await environment.sql('shard-1', 'select driver_id from offers where shipment_id = ?', [shipmentId]);
      return rows.length > 0 ? rows : undefined;
    });
    expect(offers).toEqual([{ driver_id: driverId }]);
    const asked = 'select id from offers where driver_id = ?';
    expect(await environment.sql('shard-1', asked, [there.driverId])).toEqual([]);
  });
});
