import { expect, test } from 'vitest';
import { ActionQueue, type QueuedAction, type Sent } from '../../../src/driver/queue.ts';
import { queueStorageOf } from '../../../src/driver/session.ts';

/* Two drivers on one phone: the storage of the browser is one, the queues are two. */

function newPhone() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

const tap = (actionId: string): QueuedAction => ({ actionId, action: 'PICK_UP', shipmentId: actionId });

test('a driver’s taps are sent by that driver’s queue alone, as they were taken', async () => {
  const phone = newPhone();
  const sent: Record<string, QueuedAction[]> = { sami: [], faisal: [] };
  const queueOf = (driverId: string) =>
    new ActionQueue(queueStorageOf(driverId, phone), (action): Promise<Sent> => {
      sent[driverId]?.push(action);
      return Promise.resolve({ kind: 'refused', failure: { ...NONE, code: 'X' } });
    });
  queueOf('sami').add(tap('a'));
  queueOf('sami').add(tap('b'));
  queueOf('faisal').add(tap('c'));
  expect(queueOf('faisal').actions()).toEqual([tap('c')]);
  expect(await queueOf('faisal').sendAll(() => undefined)).toBe('empty');
  expect(sent).toEqual({ sami: [], faisal: [tap('c')] });
  expect(queueOf('sami').actions()).toEqual([tap('a'), tap('b')]);
  expect(await queueOf('sami').sendAll(() => undefined)).toBe('empty');
  expect(sent['sami']).toEqual([tap('a'), tap('b')]);
  expect(phone.getItem('driver-actions')).toBe('[]');
});

test('storage that another program wrote is no queue', () => {
  const phone = newPhone();
  for (const text of ['', 'no JSON', '{}', 'null', '[{"actionId":"a","action":"DELIVER","shipmentId":"a"}]']) {
    phone.setItem('driver-actions', text);
    expect(new ActionQueue(queueStorageOf('sami', phone), () => Promise.reject(new Error('sent'))).actions()).toEqual(
      [],
    );
  }
});

test('an entry that is no action is dropped, and the driver’s others are sent', () => {
  const phone = newPhone();
  const own = { ...tap('a'), driverId: 'sami' };
  phone.setItem('driver-actions', JSON.stringify([null, 1, { driverId: 'sami', shipmentId: 'b' }, own]));
  const queue = new ActionQueue(queueStorageOf('sami', phone), () => Promise.reject(new Error('sent')));
  expect(queue.actions()).toEqual([tap('a')]);
  queue.add(tap('c'));
  expect(queue.actions()).toEqual([tap('a'), tap('c')]);
});

const NONE = { title: '', detail: '', requestId: '', violations: [], problem: undefined };
