import { expectTypeOf } from 'vitest';
import {
  listAll,
  type MirsalClient,
  type MirsalError,
  type MirsalInputs,
  type MirsalOutputs,
  type Shipment,
} from '../src/client.ts';
import type { Shipment as ShipmentOfTheContract } from '../src/contract/shipment.ts';

/* The type checker alone runs this file: `npm run check:types` fails when a statement here is not true. */

type Creation = Parameters<MirsalClient['shipments']['create']['mutate']>[0];

// Creations take decimals as strings and answer a Shipment.
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

// The client makes the idempotency key. Everything else is the caller's.
expectTypeOf<Creation['idempotencyKey']>().toEqualTypeOf<string | undefined>();
expectTypeOf<Omit<Creation, 'idempotencyKey'>>().toExtend<Creation>();
expectTypeOf<Omit<Creation, 'externalReference'>>().not.toExtend<Creation>();
expectTypeOf<MirsalInputs['shipments']['cancel']['ifMatch']>().toEqualTypeOf<string>();
expectTypeOf<{ shipmentId: string }>().not.toExtend<MirsalInputs['shipments']['cancel']>();

// A query cannot be called as a mutation.
expectTypeOf<MirsalClient['shipments']['list']>().toHaveProperty('query');
expectTypeOf<MirsalClient['shipments']['list']>().not.toHaveProperty('mutate');
expectTypeOf<MirsalClient['operations']['shipments']['approve']>().toHaveProperty('mutate');

// listAll yields the entries of the list it is given.
const walkOffered = (client: MirsalClient) => listAll(client.shipments.list, { state: 'OFFERED' });
expectTypeOf(walkOffered).returns.toEqualTypeOf<AsyncGenerator<Shipment, void, undefined>>();

// An error has a known code, or one that a later version of the service has added.
expectTypeOf<'RATE_LIMITED' | 'NETWORK_FAILURE'>().toExtend<MirsalError['code']>();
expectTypeOf<string>().toExtend<MirsalError['code']>();
expectTypeOf<MirsalError['status']>().toEqualTypeOf<number | undefined>();
