import { describe, expect, test } from 'vitest';
import {
  ActionQueue,
  nextAction,
  type Parcel,
  type QueuedAction,
  type Sent,
  tasksOf,
} from '../../../src/driver/queue.ts';

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
  ...{ pickupWindowStart: '', pickupWindowEnd: '', place: null, instructions: null, changes: [] },
});
const done: Sent = { kind: 'done', parcel: parcel('one', 'PICKED_UP') };
const failure = { code: 'X', title: '', detail: '', requestId: '', violations: [], problem: undefined };

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
