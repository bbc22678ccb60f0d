import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { idempotencyKeyOf } from '../../../src/client/idempotency-key.ts';
import { METADATA, ORDER, refusal, StandIn } from './stand-in.ts';

/* Keys that the client makes for those who bring none. */

const service = new StandIn();
beforeAll(() => service.start());
afterAll(() => service.stop());

/** The keys of the calls that `act` makes. */
async function keysOf(act: (client: ReturnType<StandIn['client']>) => Promise<unknown>): Promise<unknown[]> {
  let made = 0;
  const before = service.calls.length;
  const newIdempotencyKey = () => {
    made += 1;
    return `made-key-${made}`;
  };
  await act(service.client({ host: { newIdempotencyKey } }));
  return service.calls.slice(before).map(({ input }) => idempotencyKeyOf(input));
}

describe('a creation', () => {
  test('gets a new key each time', async () => {
    const keys = await keysOf(async ({ shipments }) => {
      await shipments.create.mutate(ORDER);
      await shipments.create.mutate(ORDER);
    });
    expect(keys).toEqual(['made-key-1', 'made-key-2']);
  });

  test('keeps its key in all attempts', async () => {
    service.toCalls.push(refusal(503, 'SERVICE_UNAVAILABLE'), 'cut');
    expect(await keysOf(({ shipments }) => shipments.create.mutate(ORDER))).toEqual(Array(3).fill('made-key-1'));
  });

  test('keeps the key of its caller, whatever its type', async () => {
    const keys = await keysOf(({ shipments }) => shipments.create.mutate({ ...ORDER, idempotencyKey: 'own-key' }));
    expect(keys).toEqual(['own-key']);
    const wrong = { ...ORDER, idempotencyKey: 7 as unknown as string };
    expect(await keysOf(({ shipments }) => shipments.create.mutate(wrong))).toEqual([undefined]);
    expect(service.calls.at(-1)?.input).toMatchObject({ idempotencyKey: 7 });
  });

  test('keeps the rest of its input', async () => {
    await keysOf(({ shipments }) => shipments.create.mutate(ORDER));
    expect(service.calls.at(-1)?.input).toEqual({ ...ORDER, idempotencyKey: 'made-key-1' });
  });

  test('without an input is sent unchanged, and the service refuses it', async () => {
    expect(await keysOf(({ shipments }) => shipments.create.mutate(null as never))).toEqual([undefined]);
  });
});

test('a call that needs no key gets none', async () => {
  expect(await keysOf(({ shipmentMetadata }) => shipmentMetadata.replace.mutate(METADATA))).toEqual([undefined]);
  expect(service.calls.at(-1)?.input).toEqual(METADATA);
});

test.each([
  [{ idempotencyKey: 'key' }, 'key'],
  [{ idempotencyKey: 7 }, undefined],
  [{}, undefined],
  [undefined, undefined],
  [null, undefined],
  ['idempotencyKey', undefined],
])('the key of %j is %j', (input, key) => {
  expect(idempotencyKeyOf(input)).toBe(key);
});
