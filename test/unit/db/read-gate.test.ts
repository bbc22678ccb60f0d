import { describe, expect, test } from 'vitest';
import { READS_AT_ONCE_MAX, READS_WAITING_MAX, ReadGate } from '../../../db/read-gate.ts';

const TIMEOUT_MS = 2000;

/** A gate whose clock stands still until it is moved. */
function fullGate() {
  const clock = { nowMs: 0 };
  const gate = new ReadGate(() => clock.nowMs, TIMEOUT_MS);
  const leaves = Promise.all(Array.from({ length: READS_AT_ONCE_MAX }, () => gate.enter()));
  return { clock, gate, leaves };
}

describe('a full gate', () => {
  test('lets the one in who has waited longest when somebody leaves', async () => {
    const { gate, leaves } = fullGate();
    const [leave] = await leaves;
    const order: string[] = [];
    const first = gate.enter().then((entered) => order.push(`first ${typeof entered}`));
    const second = gate.enter().then((entered) => {
      order.push(`second ${typeof entered}`);
      return entered;
    });
    leave?.();
    await first;
    expect(order).toEqual(['first function']);
    (await leaves)[1]?.();
    await second;
    expect(order).toEqual(['first function', 'second function']);
  });

  test('lets nobody go past those who wait', async () => {
    const { gate, leaves } = fullGate();
    const [leave] = await leaves;
    const order: string[] = [];
    const waiting = gate.enter().then(() => order.push('who waited'));
    const second = gate.enter();
    leave?.();
    const late = gate.enter().then(() => order.push('who came later'));
    await waiting;
    expect(order).toEqual(['who waited']);
    for (const other of await leaves) other?.();
    (await second)?.();
    await late;
    expect(order).toEqual(['who waited', 'who came later']);
  });

  test('refuses at once who comes when enough are waiting', async () => {
    const { gate, leaves } = fullGate();
    await leaves;
    const waiting = Array.from({ length: READS_WAITING_MAX }, () => gate.enter());
    expect(await gate.enter()).toBeUndefined();
    const given = Promise.all(waiting);
    // Each that leaves calls one; those called leave in their turn.
    for (const entered of waiting) void entered.then((leave) => leave?.());
    for (const leave of await leaves) leave?.();
    expect((await given).filter((leave) => leave === undefined)).toEqual([]);
  });

  test('takes a place back whose time is over', async () => {
    const { clock, gate, leaves } = fullGate();
    await leaves;
    clock.nowMs = TIMEOUT_MS;
    expect(await gate.enter()).toBeTypeOf('function');
  });

  test('counts nobody among those who wait who never heard a call', async () => {
    const { clock, gate, leaves } = fullGate();
    await leaves;
    // Requests that the runtime ended: nothing of them runs any more, and they wait for ever.
    for (let count = 0; count < READS_WAITING_MAX; count += 1) void gate.enter();
    clock.nowMs = TIMEOUT_MS - 1;
    expect(await gate.enter()).toBeUndefined();
    clock.nowMs = TIMEOUT_MS;
    expect(await gate.enter()).toBeTypeOf('function');
  });
});
