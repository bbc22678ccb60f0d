import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../../scripts/shared/dispatch-invariants.ts';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import type { ShipmentState } from '../../../../src/contract/shipment-state.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import type { Command } from '../../../../src/domain/shipments/lifecycle.ts';
import { sampleAmendment } from '../../../support/dispatch/amendments.ts';
import { openShard, type TestShard } from '../../../support/dispatch/shard.ts';
import { addDriver, addShipment, give, offerTo } from '../../../support/dispatch/shipments.ts';

/*
 * The effects of every dispatch command on a real database: drivers' active shipments, offers, the dispatch row and
 * events. All invariants hold after each sequence.
 */

vi.setConfig({ testTimeout: 20_000, hookTimeout: 20_000 });

/** A command and the driver it concerns: `ACCEPT Ali`. */
type Step = string;

interface Course {
  readonly steps: readonly Step[];
  readonly state: ShipmentState;
  /** Active shipments of Ali and of Badr. */
  readonly places: readonly [ali: number, badr: number];
  readonly offers: readonly string[];
  /** Who has the shipment, and who refused it last. */
  readonly driver: string | null;
  readonly refused: string | null;
}

const course = (steps: string, state: ShipmentState, rest: Partial<Course> = {}): Course => ({
  steps: ['APPROVE', ...steps.split(', ').filter((step) => step !== '')],
  state,
  places: [0, 0],
  offers: [],
  driver: null,
  refused: null,
  ...rest,
});

const withAli = (offer: string, rest: Partial<Course> = {}): Partial<Course> => ({
  places: [1, 0],
  offers: [`Ali ${offer}`],
  driver: 'Ali',
  ...rest,
});
const left = (offer: string, refused: string | null): Partial<Course> => ({ offers: [`Ali ${offer}`], refused });
const done: Partial<Course> = { offers: ['Ali COMPLETED'], driver: 'Ali' };

const WITH_BADR: Partial<Course> = {
  places: [0, 1],
  offers: ['Ali WITHDRAWN', 'Badr ACCEPTED'],
  driver: 'Badr',
  refused: 'Ali',
};

const UNDER_WAY = 'OFFER Ali, ACCEPT Ali, PICK_UP Ali';

const COURSES: readonly Course[] = [
  course('', 'READY_FOR_DISPATCH'),
  course('OFFER Ali', 'OFFERED', withAli('OPEN')),
  course('OFFER Ali, ACCEPT Ali', 'ACCEPTED', withAli('ACCEPTED')),
  course('OFFER Ali, DECLINE Ali', 'READY_FOR_DISPATCH', left('DECLINED', 'Ali')),
  course('OFFER Ali, EXPIRE_OFFER', 'READY_FOR_DISPATCH', left('EXPIRED', 'Ali')),
  course('OFFER Ali, ACCEPT Ali, RELEASE Ali', 'READY_FOR_DISPATCH', left('RELEASED', 'Ali')),
  course('OFFER Ali, DECLINE Ali, OFFER Badr', 'OFFERED', {
    places: [0, 1],
    offers: ['Ali DECLINED', 'Badr OPEN'],
    driver: 'Badr',
    refused: 'Ali',
  }),
  course('OFFER Ali, DECLINE Ali, OFFER Badr, EXPIRE_OFFER, OFFER Ali, ACCEPT Ali', 'ACCEPTED', {
    places: [1, 0],
    offers: ['Ali DECLINED', 'Badr EXPIRED', 'Ali ACCEPTED'],
    driver: 'Ali',
    refused: 'Badr',
  }),
  course('GIVE_UP', 'DISPATCH_UNRESOLVED'),
  course('OFFER Ali, GIVE_UP', 'DISPATCH_UNRESOLVED', left('WITHDRAWN', 'Ali')),
  course('OFFER Ali, ACCEPT Ali, GIVE_UP', 'DISPATCH_UNRESOLVED', left('WITHDRAWN', 'Ali')),
  course('GIVE_UP, RETRY_DISPATCH', 'READY_FOR_DISPATCH'),
  course('CANCEL', 'CANCELLED'),
  course('OFFER Ali, CANCEL', 'CANCELLED', left('WITHDRAWN', null)),
  course('OFFER Ali, ACCEPT Ali, CANCEL', 'CANCELLED', left('CANCELLED', null)),
  course('GIVE_UP, CANCEL', 'CANCELLED'),
  course(UNDER_WAY, 'PICKED_UP', withAli('ACCEPTED')),
  course('OFFER Ali, ACCEPT Ali, REASSIGN', 'READY_FOR_DISPATCH', left('WITHDRAWN', 'Ali')),
  course(`${UNDER_WAY}, TAKE_OVER Badr`, 'PICKED_UP', WITH_BADR),
  course(`${UNDER_WAY}, DEPART Ali, TAKE_OVER Badr`, 'OUT_FOR_DELIVERY', WITH_BADR),
  course(`${UNDER_WAY}, TAKE_OVER Badr, DEPART Badr, DELIVER Badr`, 'DELIVERED', {
    ...WITH_BADR,
    places: [0, 0],
    offers: ['Ali WITHDRAWN', 'Badr COMPLETED'],
  }),
  course(`${UNDER_WAY}, FAIL Ali`, 'DELIVERY_FAILED', done),
  course(`${UNDER_WAY}, DEPART Ali`, 'OUT_FOR_DELIVERY', withAli('ACCEPTED')),
  course(`${UNDER_WAY}, DEPART Ali, DELIVER Ali`, 'DELIVERED', done),
  course(`${UNDER_WAY}, DEPART Ali, FAIL Ali`, 'DELIVERY_FAILED', done),
];

let shard: TestShard;
let process: ReturnType<TestShard['process']>;
let names: Map<unknown, string>;
beforeAll(async () => {
  shard = await openShard();
  process = shard.process();
});
afterAll(() => shard.close());
beforeEach(async () => {
  await shard.clear();
  names = new Map([
    [await addDriver(shard, process, { activeMax: 1 }), 'Ali'],
    [await addDriver(shard, process, { activeMax: 1 }), 'Badr'],
  ]);
});
afterEach(async () => expect(await brokenInvariants(shard)).toEqual([]));

test.each(COURSES.map((each) => ({ name: each.steps.join(', '), each })))('$name', async ({ each }) => {
  const shipmentId = await addShipment(shard, process);
  for (const step of each.steps) {
    expect(await give(shard, process, shipmentId, commandOf(step))).toMatchObject({ ok: true });
  }
  expect(await standing(shipmentId)).toEqual({
    state: each.state,
    version: each.steps.length,
    places: each.places,
    offers: each.offers,
    driver: each.driver,
    refused: each.refused,
  });
});

test('a shipment in PENDING_APPROVAL can be cancelled', async () => {
  const shipmentId = await addShipment(shard, process);
  expect(await give(shard, process, shipmentId, commandOf('CANCEL'))).toMatchObject({
    ok: true,
    value: { state: 'CANCELLED', version: 1 },
  });
});

describe('a refused unit changes nothing:', () => {
  let shipmentId: Uuid;
  beforeEach(async () => {
    shipmentId = await addShipment(shard, process);
    await give(shard, process, shipmentId, commandOf('APPROVE'));
  });

  test('an offer to a driver at their limit', async () => {
    const other = await addShipment(shard, process);
    await give(shard, process, other, commandOf('APPROVE'));
    await give(shard, process, other, commandOf('OFFER Ali'));
    const before = await standing(shipmentId);
    expect(await give(shard, process, shipmentId, commandOf('OFFER Ali'))).toMatchObject({ ok: false });
    expect(await standing(shipmentId)).toEqual(before);
  });

  test('an offer, planned before, to the driver who has declined meanwhile', async () => {
    for (const step of ['OFFER Ali', 'DECLINE Ali']) await give(shard, process, shipmentId, commandOf(step));
    const before = await standing(shipmentId);
    expect(await give(shard, process, shipmentId, commandOf('OFFER Ali'))).toMatchObject({ ok: false });
    expect(await standing(shipmentId)).toEqual(before);
    expect(await give(shard, process, shipmentId, commandOf('OFFER Badr'))).toMatchObject({ ok: true });
  });

  test.each(['on_duty = 0', "status = 'INACTIVE'"])('an offer to a driver with %s', async (change) => {
    await shard.rows(`UPDATE drivers SET ${change}`);
    const before = await standing(shipmentId);
    expect(await give(shard, process, shipmentId, commandOf('OFFER Ali'))).toMatchObject({ ok: false });
    expect(await standing(shipmentId)).toEqual(before);
  });

  test.each([
    { steps: ['OFFER Ali'], foreign: ['ACCEPT Badr', 'DECLINE Badr'] },
    { steps: ['OFFER Ali', 'ACCEPT Ali'], foreign: ['RELEASE Badr', 'PICK_UP Badr'] },
    { steps: ['OFFER Ali', 'ACCEPT Ali', 'PICK_UP Ali'], foreign: ['DEPART Badr', 'FAIL Badr'] },
    { steps: ['OFFER Ali', 'ACCEPT Ali', 'PICK_UP Ali', 'DEPART Ali'], foreign: ['DELIVER Badr', 'FAIL Badr'] },
  ])('after $steps: $foreign by a driver who does not have the shipment', async ({ steps, foreign }) => {
    for (const step of steps) await give(shard, process, shipmentId, commandOf(step));
    const before = await standing(shipmentId);
    for (const step of foreign) {
      expect(await give(shard, process, shipmentId, commandOf(step))).toMatchObject({ ok: false });
      expect(await standing(shipmentId)).toEqual(before);
    }
  });

  test.each(['on_duty = 0', "status = 'INACTIVE'", 'active_max = 1, active_count = 1'])(
    'a takeover by a driver with %s',
    async (change) => {
      for (const step of ['OFFER Ali', 'ACCEPT Ali', 'PICK_UP Ali'])
        await give(shard, process, shipmentId, commandOf(step));
      const [badr] = [...names].find(([, name]) => name === 'Badr') ?? [];
      await shard.rows(`UPDATE drivers SET ${change} WHERE id = ?`, [String(badr)]);
      const before = await standing(shipmentId);
      expect(await give(shard, process, shipmentId, commandOf('TAKE_OVER Badr'))).toMatchObject({ ok: false });
      expect(await standing(shipmentId)).toEqual(before);
      await shard.rows('UPDATE drivers SET active_count = 0 WHERE id = ?', [String(badr)]);
    },
  );

  test.each(['PICK_UP', 'DEPART'])('after a takeover %s by the driver who had it before', async (last) => {
    const way = ['OFFER Ali', 'ACCEPT Ali', 'PICK_UP Ali', 'DEPART Ali'];
    for (const step of way.slice(0, way.indexOf(`${last} Ali`) + 1))
      await give(shard, process, shipmentId, commandOf(step));
    expect(await give(shard, process, shipmentId, commandOf('TAKE_OVER Ali'))).toMatchObject({ ok: false });
    expect(await give(shard, process, shipmentId, commandOf('TAKE_OVER Badr'))).toMatchObject({ ok: true });
    const before = await standing(shipmentId);
    const next = last === 'PICK_UP' ? 'DEPART Ali' : 'DELIVER Ali';
    for (const step of [next, 'FAIL Ali']) {
      expect(await give(shard, process, shipmentId, commandOf(step))).toMatchObject({
        ok: false,
        code: 'ACCESS_DENIED',
      });
    }
    expect(await standing(shipmentId)).toEqual(before);
  });

  test('concurrent commands of driver, merchant and service: at least one succeeds', async () => {
    await give(shard, process, shipmentId, commandOf('OFFER Ali'));
    const answers = await Promise.all([
      give(shard, process, shipmentId, commandOf('ACCEPT Ali')),
      give(shard, shard.process(), shipmentId, commandOf('CANCEL')),
      give(shard, shard.process(), shipmentId, commandOf('EXPIRE_OFFER')),
    ]);
    expect(answers.some(({ ok }) => ok)).toBe(true);
  });
});

function commandOf(step: Step): Command {
  const [name, who] = step.split(' ') as [Command['name'], string | undefined];
  if (name === 'CANCEL') return { name, reasonCode: 'OTHER', comment: null };
  // A command concerns a driver exactly if it names one.
  if (name === 'GIVE_UP') return { name, reasonCode: 'NO_DRIVER' };
  if (name === 'AMEND') return { name, reasonCode: null, comment: 'LOCATION', amendment: sampleAmendment() };
  if (name === 'RETRY_DISPATCH') return { name, serviceLevelCode: 'STANDARD' };
  if (name === 'APPROVE' || name === 'EXPIRE_OFFER') return { name };
  if (name === 'REASSIGN') return { name, reasonCode: 'DRIVER_LATE', comment: null };
  const driverId = [...names].find(([, known]) => known === who)?.[0] as Uuid;
  if (name === 'RECALL') throw new Error('No step recalls a parcel');
  if (name === 'TAKE_OVER')
    return { name, offerId: newId(), toDriverId: driverId, reasonCode: 'PHONE_LOST', comment: null };
  if (name === 'OFFER') return offerTo(shard, driverId);
  return name === 'FAIL' ? { name, driverId, reasonCode: 'LOST' } : { name, driverId };
}

async function standing(shipmentId: Uuid) {
  const nameOf = (id: unknown) => names.get(id) ?? null;
  const [shipment] = await shard.rows('SELECT state, version FROM shipments WHERE id = ?', [shipmentId]);
  const offers = await shard.rows('SELECT driver_id, state FROM offers WHERE shipment_id = ? ORDER BY offered_at', [
    shipmentId,
  ]);
  const [dispatch] = await shard.rows('SELECT driver_id, last_refused_driver_id FROM shipments WHERE id = ?', [
    shipmentId,
  ]);
  const places = new Map((await shard.rows('SELECT id, active_count FROM drivers')) as [unknown, number][]);
  return {
    state: shipment?.[0],
    version: shipment?.[1],
    places: [...names.keys()].map((id) => places.get(id)),
    offers: offers.map(([id, state]) => `${nameOf(id)} ${String(state)}`),
    driver: nameOf(dispatch?.[0]),
    refused: nameOf(dispatch?.[1]),
  };
}
