import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  entityTag,
  listAll,
  type MirsalClient,
  type MirsalError,
  type MirsalInputs,
  type MirsalOutputs,
  type Shipment,
} from '../../../src/client.ts';
import type { Shipment as ShipmentOfTheContract } from '../../../src/contract/shipment.ts';

const walkOffered = (client: MirsalClient) => listAll(client.shipments.list, { state: 'OFFERED' });
type Creation = Parameters<MirsalClient['shipments']['create']['mutate']>[0];

describe('the types', () => {
  it('take decimals as strings and give a Shipment', () => {
    expectTypeOf<Creation['declaredValue']>().toEqualTypeOf<string>();
    expectTypeOf<Creation['destination']['latitude']>().toEqualTypeOf<string>();
    expectTypeOf<Creation['items'][number]['weightKilograms']>().toEqualTypeOf<string>();
    expectTypeOf<Creation['items'][number]['quantity']>().toEqualTypeOf<number>();
    expectTypeOf<Creation['pickupWindowStart']>().toEqualTypeOf<string>();
    expectTypeOf<Awaited<ReturnType<MirsalClient['shipments']['create']['mutate']>>>().toEqualTypeOf<Shipment>();
    expectTypeOf<MirsalOutputs['shipments']['list']['data'][number]>().toEqualTypeOf<Shipment>();
    // The same shape, but that an absent member of an answer is never an undefined one.
    expectTypeOf<Shipment>().toExtend<ShipmentOfTheContract>();
    expectTypeOf<keyof Shipment>().toEqualTypeOf<keyof ShipmentOfTheContract>();
    expectTypeOf<Shipment['declaredValue']>().toEqualTypeOf<string>();
    expectTypeOf<Shipment['createdAt']>().toEqualTypeOf<string>();
  });

  it('leave the idempotency key to the client, and nothing else', () => {
    expectTypeOf<Creation['idempotencyKey']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Omit<Creation, 'idempotencyKey'>>().toExtend<Creation>();
    expectTypeOf<Omit<Creation, 'externalReference'>>().not.toExtend<Creation>();
    expectTypeOf<MirsalInputs['shipments']['cancel']['ifMatch']>().toEqualTypeOf<string>();
    expectTypeOf<{ shipmentId: string }>().not.toExtend<MirsalInputs['shipments']['cancel']>();
  });

  it('know queries from mutations', () => {
    expectTypeOf<MirsalClient['shipments']['list']>().toHaveProperty('query');
    expectTypeOf<MirsalClient['shipments']['list']>().not.toHaveProperty('mutate');
    expectTypeOf<MirsalClient['operations']['shipments']['approve']>().toHaveProperty('mutate');
  });

  it('carry the entries through listAll', () => {
    expectTypeOf(walkOffered).returns.toEqualTypeOf<AsyncGenerator<Shipment, void, undefined>>();
  });

  it('offer the codes and take unknown ones', () => {
    expectTypeOf<'RATE_LIMITED' | 'NETWORK_FAILURE'>().toExtend<MirsalError['code']>();
    expectTypeOf<string>().toExtend<MirsalError['code']>();
    expectTypeOf<MirsalError['status']>().toEqualTypeOf<number | undefined>();
  });
});

it('entityTag quotes a version', () => {
  expect(entityTag({ version: 3 })).toBe('"3"');
});

describe('the imports', () => {
  const root = resolve(import.meta.dirname, '../../../src');
  const files = ['client.ts', ...readdirSync(join(root, 'client')).map((name) => `client/${name}`)];
  const imports = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^(?:import|export) ([^;]*?)from '([^']+)';/gm)].map(
      ([, what = '', from = '']) => ({ file, isType: what.startsWith('type '), from }),
    ),
  );

  it('bring no code of the server into a bundle', () => {
    const wrong = imports.filter(
      ({ file, isType, from }) => from.startsWith('.') && !isType && !join(dirname(file), from).startsWith('client/'),
    );
    expect(wrong).toEqual([]);
  });

  it('bring only tRPC’s own', () => {
    const packages = imports.filter(({ isType, from }) => !isType && !from.startsWith('.')).map(({ from }) => from);
    expect(new Set(packages)).toEqual(new Set(['@trpc/client', '@trpc/server/observable']));
  });
});
