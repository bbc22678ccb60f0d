import { describe, expect, test } from 'vitest';
import {
  ActionQueue,
  HOLD_MS,
  isHeld,
  nextAction,
  type Parcel,
  type QueuedAction,
  type Sent,
  sentOf,
  TRIES_MAX,
  tasksOf,
} from '../../../src/driver/queue.ts';
import { ServiceClock } from '../../../src/driver/service-clock.ts';

/** Storage of a browser. */
function newStorage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

const order = (actionId: string, action: QueuedAction['action'], shipmentId = 'one'): QueuedAction => ({
  ...{ actionId, action, shipmentId },
});
const parcel = (shipmentId: string, state: Parcel['state'], arrivedAt: string | null = null): Parcel => ({
  ...{ shipmentId, shipmentNumber: `SHP-${shipmentId}`, state, version: 3, arrivedAt },
  ...{ pickup: null, pickupContact: null, pickupInstructions: null, destination: null },
  ...{ recipientName: null, recipientPhone: null, alternateContact: null, items: null },
  ...{ totalWeightKilograms: '1', requirements: [], paymentMethod: 'PREPAID', codAmount: '0', currency: 'SAR' },
  ...{
    pickupWindowStart: '',
    pickupWindowEnd: '',
    place: null,
    instructions: null,
    deliveryWindow: null,
    refusedAt: null,
    proofRequired: null,
    changes: [],
  },
});
const done: Sent = { kind: 'done', parcel: parcel('one', 'PICKED_UP') };
const failure = { code: 'X', title: '', detail: '', requestId: '', violations: [], problem: undefined };

describe('an action that can be undone', () => {
  const fails: QueuedAction = { ...order('a', 'FAIL'), heldUntil: Date.now() + HOLD_MS };

  test('is held for ten seconds, also after a reload, while others are sent', async () => {
    const storage = newStorage();
    const sent: string[] = [];
    const send = ({ actionId }: QueuedAction): Promise<Sent> => {
      sent.push(actionId);
      return Promise.resolve(done);
    };
    const queue = new ActionQueue(storage, send);
    queue.add(fails);
    queue.add(order('b', 'DEPART', 'two'));
    expect(await queue.sendAll(() => undefined)).toBe('empty');
    expect(sent).toEqual(['b']);
    const reloaded = new ActionQueue(storage, send);
    expect(reloaded.actions()).toEqual([fails]);
    reloaded.undo('a');
    expect(reloaded.actions()).toEqual([]);
  });

  test('is not held by a clock that was set back', () => {
    const nowMs = 1_000_000;
    const heldUntil = nowMs + HOLD_MS;
    expect(isHeld({ ...fails, heldUntil }, nowMs)).toBe(true);
    expect(isHeld({ ...fails, heldUntil }, heldUntil)).toBe(false);
    expect(isHeld({ ...fails, heldUntil }, nowMs - 1)).toBe(false);
    expect(isHeld(order('b', 'DELIVER'), nowMs)).toBe(false);
  });

  test('stays once it is on its way', async () => {
    let answer: (sent: Sent) => void = () => undefined;
    const queue = new ActionQueue(newStorage(), () => new Promise((resolve) => (answer = resolve)));
    queue.add(order('a', 'FAIL'));
    const run = queue.sendAll(() => undefined);
    queue.undo('a');
    expect(queue.actions()).toHaveLength(1);
    answer(done);
    expect(await run).toBe('empty');
  });
});

test('a page that was opened without a connection tells the time by the last answer before', () => {
  const storage = newStorage();
  const hour = 3_600_000;
  const first = new ServiceClock(storage, () => Date.now() + hour);
  first.learn();
  const offline = new ServiceClock(storage, () => Date.now());
  expect(Math.abs(offline.now() - Date.now() - hour)).toBeLessThan(1000);
  offline.learn();
  expect(Math.abs(offline.now() - Date.now())).toBeLessThan(1000);
});

describe('the queue of a driver’s actions', () => {
  test('sends in order, keeps what has no answer, and continues with the same ids after a reload', async () => {
    const storage = newStorage();
    const sent: string[] = [];
    let isOnline = false;
    const newQueue = () =>
      new ActionQueue(storage, async ({ actionId }) => {
        sent.push(actionId);
        return isOnline ? done : { kind: 'later' };
      });
    const queue = newQueue();
    queue.add(order('a', 'PICK_UP'));
    queue.add(order('b', 'DEPART'));
    expect(await queue.sendAll(() => undefined)).toBe('later');
    expect(sent).toEqual(['a']);
    isOnline = true;
    const reloaded = newQueue();
    const settled: string[] = [];
    expect(await reloaded.sendAll(({ action }) => settled.push(action.actionId))).toBe('empty');
    expect([sent, settled]).toEqual([
      ['a', 'a', 'b'],
      ['a', 'b'],
    ]);
    expect(reloaded.actions()).toEqual([]);
  });

  test('drops a refused action, and later ones on the same shipment', async () => {
    const sent: string[] = [];
    const queue = new ActionQueue(newStorage(), async ({ actionId }) => {
      sent.push(actionId);
      return actionId === 'a' ? { kind: 'refused', failure } : done;
    });
    for (const action of [order('a', 'PICK_UP'), order('b', 'DEPART'), order('c', 'PICK_UP', 'two')]) queue.add(action);
    const kinds: string[] = [];
    await queue.sendAll(({ action, sent: { kind } }) => kinds.push(`${action.actionId} ${kind}`));
    expect([sent, kinds]).toEqual([
      ['a', 'c'],
      ['a refused', 'c done'],
    ]);
  });

  test('keeps its actions while the driver has to sign in again, and survives broken storage', async () => {
    const storage = newStorage();
    const queue = new ActionQueue(storage, async () => ({ kind: 'signed-out' }));
    queue.add(order('a', 'PICK_UP'));
    expect(await queue.sendAll(() => undefined)).toBe('signed-out');
    expect(queue.actions()).toHaveLength(1);
    storage.setItem('driver-actions', '{');
    expect(queue.actions()).toEqual([]);
  });

  test('sends the other shipments’ actions when one does not get through, and tries it again at the end', async () => {
    const sent: string[] = [];
    let isBroken = true;
    const queue = new ActionQueue(newStorage(), async ({ actionId }) => {
      sent.push(actionId);
      return actionId === 'a' && isBroken ? { kind: 'later' } : done;
    });
    for (const action of [order('a', 'DELIVER'), order('b', 'DEPART', 'two')]) queue.add(action);
    for (let look = 0; look < TRIES_MAX; look += 1) {
      expect(await queue.sendAll(() => undefined)).toBe('later');
      expect(queue.stuck()).toEqual([]);
      queue.blame();
      // Only once for each run, although several looks may succeed after it.
      queue.blame();
    }
    expect(queue.stuck()).toEqual(['one']);
    expect(sent).toEqual(Array.from({ length: TRIES_MAX }, () => 'a'));
    sent.length = 0;
    expect(await queue.sendAll(() => undefined)).toBe('empty');
    expect(sent).toEqual(['b', 'a']);
    isBroken = false;
    expect(await queue.sendAll(() => undefined)).toBe('empty');
    expect([queue.stuck(), queue.actions()]).toEqual([[], []]);
  });

  test('sends an action at a door at once, unless one of its own shipment gets no answer', async () => {
    const sent: string[] = [];
    const queue = new ActionQueue(newStorage(), async ({ actionId }) => {
      sent.push(actionId);
      return actionId === 'a' ? { kind: 'later' } : done;
    });
    queue.add(order('a', 'DELIVER'));
    expect(await queue.sendNow(order('b', 'DELIVER', 'two'), () => undefined)).toEqual(done);
    expect(await queue.sendNow(order('c', 'DELIVER', 'one'), () => undefined)).toEqual({ kind: 'later' });
    expect(sent).toEqual(['a', 'b', 'a']);
    expect(queue.actions()).toEqual([order('a', 'DELIVER')]);
  });

  test('blames no action while the service does not answer at all', async () => {
    const queue = new ActionQueue(newStorage(), async () => ({ kind: 'later' }));
    queue.add(order('a', 'DELIVER'));
    for (let look = 0; look < 10; look += 1) await queue.sendAll(() => undefined);
    expect(queue.stuck()).toEqual([]);
  });

  test('blames no action for a busy service, and sends those of other shipments meanwhile', async () => {
    const sent: string[] = [];
    const queue = new ActionQueue(newStorage(), async ({ actionId, shipmentId }) => {
      sent.push(actionId);
      return shipmentId === 'one' ? { kind: 'later', isBusy: true } : done;
    });
    for (const action of [order('a', 'ARRIVE'), order('b', 'DELIVER'), order('c', 'DEPART', 'two')]) queue.add(action);
    for (let look = 0; look < 10; look += 1) {
      expect(await queue.sendAll(() => undefined)).toBe('later');
      queue.blame();
    }
    expect(sent).toEqual(['a', 'c', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a']);
    expect(queue.stuck()).toEqual([]);
  });

  test.each([
    [401, { kind: 'signed-out' }],
    [408, { kind: 'later' }],
    [409, { kind: 'refused' }],
    [429, { kind: 'later', isBusy: true }],
    [500, { kind: 'later' }],
    [503, { kind: 'later', isBusy: true }],
  ])('takes a %i as %o', (status, sent) => {
    const problem = { type: '', title: '', status, code: 'X', timestamp: '', correlationId: '', requestId: '' };
    expect(sentOf({ ...failure, problem })).toMatchObject(sent);
    expect(sentOf(failure)).toEqual({ kind: 'later' });
  });

  test('drops what waits for a shipment that does not get through', async () => {
    const queue = new ActionQueue(newStorage(), async () => ({ kind: 'later' }));
    for (const action of [order('a', 'DEPART'), order('b', 'ARRIVE'), order('c', 'DEPART', 'two')]) queue.add(action);
    for (let look = 0; look < TRIES_MAX; look += 1) {
      await queue.sendAll(() => undefined);
      queue.blame();
    }
    queue.drop('one');
    expect([queue.stuck(), queue.actions().map(({ actionId }) => actionId)]).toEqual([[], ['c']]);
  });

  test('ignores a second press, but not the same action at the next place', () => {
    const queue = new ActionQueue(newStorage(), async () => ({ kind: 'later' }));
    const taken = ['ARRIVE', 'ARRIVE', 'PICK_UP', 'PICK_UP', 'DEPART', 'ARRIVE'] as const;
    for (const [index, action] of taken.entries()) queue.add(order(`${index}`, action));
    expect(queue.actions().map(({ actionId }) => actionId)).toEqual(['0', '2', '4', '5']);
  });

  test('sends each action once while several ask for it', async () => {
    let calls = 0;
    const queue = new ActionQueue(newStorage(), async () => {
      calls += 1;
      return done;
    });
    queue.add(order('a', 'PICK_UP'));
    await Promise.all([queue.sendAll(() => undefined), queue.sendAll(() => undefined)]);
    expect(calls).toBe(1);
  });
});

describe('the tasks of a driver', () => {
  test('are the parcels as they will be after the queue, the most advanced first', () => {
    const parcels = [parcel('one', 'ACCEPTED', 'now'), parcel('two', 'PICKED_UP'), parcel('three', 'OUT_FOR_DELIVERY')];
    const actions = [order('a', 'PICK_UP'), order('b', 'DEPART'), order('c', 'ARRIVE'), order('d', 'DELIVER', 'three')];
    expect(tasksOf(parcels, actions).map(({ parcel: { shipmentId }, ...rest }) => ({ shipmentId, ...rest }))).toEqual([
      { shipmentId: 'one', state: 'OUT_FOR_DELIVERY', hasArrived: true, unread: [] },
      { shipmentId: 'two', state: 'PICKED_UP', hasArrived: false, unread: [] },
    ]);
    expect(tasksOf([parcel('four', 'CANCELLED')], [])).toEqual([]);
  });

  test('have the changes that the driver has not confirmed, also by an action that waits', () => {
    const change = (version: number, acknowledgedAt: string | null = null) => ({
      version,
      changes: ['LOCATION' as const],
      changedAt: 'now',
      acknowledgedAt,
    });
    const changed = { ...parcel('one', 'PICKED_UP'), changes: [change(4, 'then'), change(5), change(6)] };
    const unreadAfter = (...actions: Parameters<typeof tasksOf>[1]) =>
      tasksOf([changed], actions)[0]?.unread.map(({ version }) => version);
    expect(unreadAfter()).toEqual([5, 6]);
    expect(unreadAfter({ ...order('a', 'ACKNOWLEDGE'), version: 5 })).toEqual([6]);
    expect(unreadAfter(order('b', 'ACKNOWLEDGE'))).toEqual([]);
    expect(unreadAfter(order('c', 'ACKNOWLEDGE', 'two'))).toEqual([5, 6]);
  });

  test.each([
    ['ACCEPTED', null, 'ARRIVE'],
    ['ACCEPTED', 'now', 'PICK_UP'],
    ['PICKED_UP', null, 'DEPART'],
    ['OUT_FOR_DELIVERY', null, 'ARRIVE'],
    ['OUT_FOR_DELIVERY', 'now', 'DELIVER'],
  ] as const)('in %s, arrived %s, the next action is %s', (state, arrivedAt, action) => {
    expect(tasksOf([parcel('one', state, arrivedAt)], []).map(nextAction)).toEqual([action]);
  });
});
