import { newId, requireUuid } from '../../../scripts/shared/seed-values.ts';
import type { ShipmentRequest } from '../../../src/contract/shipment.ts';
import type { Actor } from '../../../src/contract/shipment-state.ts';
import { literalDecimal } from '../../../src/core/decimal.ts';
import { addSeconds } from '../../../src/core/instant.ts';
import type { Uuid } from '../../../src/core/uuid.ts';
import { driverInsert } from '../../../src/domain/drivers/fleet-store.ts';
import type { DriverRow } from '../../../src/domain/offers/store.ts';
import { type CommandOrder, executeCommand } from '../../../src/domain/shipments/command.ts';
import { createShipment } from '../../../src/domain/shipments/create.ts';
import type { Command } from '../../../src/domain/shipments/lifecycle.ts';
import type { TestShard } from './shard.ts';

/* Steps of dispatch tests on a shard, each as the service does it. */

type Process = ReturnType<TestShard['process']>;

/** SQL of a table with the `value`s from 1 to `count`. SQLite in memory has no generate_series. */
export function valuesTo(count: number): string {
  return `(WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${count}) SELECT value FROM n)`;
}

/** Creates a shipment from the sample pickup location in Riyadh to another place in Riyadh, and returns its id. */
export async function addShipment(
  shard: TestShard,
  process: Process,
  changes: Partial<ShipmentRequest> = {},
): Promise<Uuid> {
  const order = { idempotencyKey: newId(), correlationId: newId(), request: { ...requestOf(shard), ...changes } };
  const created = await createShipment(process, shard.scope, order);
  if (!created.ok) throw new Error(`Not created: ${JSON.stringify(created)}`);
  return requireUuid(created.value.shipment.shipmentId);
}

export function requestOf({ clock, places }: TestShard): ShipmentRequest {
  const decimal = literalDecimal;
  return {
    externalReference: newId(),
    ...places,
    recipient: { name: 'Sara', phone: '0500000009' },
    destination: {
      addressLine: '1 King Fahd Road',
      cityCode: 'RUH',
      latitude: decimal('24.75'),
      longitude: decimal('46.7'),
    },
    declaredValue: decimal('100'),
    codAmount: decimal('0'),
    currency: 'SAR',
    paymentMethod: 'PREPAID',
    pickupWindowStart: clock.now(),
    pickupWindowEnd: addSeconds(clock.now(), 3600),
    items: [{ description: 'Coffee', quantity: 1, weightKilograms: decimal('1') }],
    requirements: [],
  };
}

let phones = 0;

/** A driver on duty in Riyadh who can carry anything. */
export async function addDriver(
  { clock }: TestShard,
  { writer }: Process,
  changes: Partial<DriverRow> = {},
): Promise<Uuid> {
  phones += 1;
  const now = clock.now();
  const row: DriverRow = {
    id: newId(),
    phone: `+9665${String(phones).padStart(8, '0')}`,
    firstName: 'Salem',
    vehicleType: 'CAR',
    companyId: null,
    capabilities: '["FRAGILE","SIGNATURE","TAIL_LIFT"]',
    weightKilogramsMax: literalDecimal('1000'),
    lengthCentimetresMax: literalDecimal('400'),
    cityCode: 'RUH',
    status: 'ACTIVE',
    onDuty: 1,
    activeCount: 0,
    activeMax: 5,
    latitude: literalDecimal('24.7'),
    longitude: literalDecimal('46.68'),
    positionAt: now,
    idleSince: now,
    missedOffers: 0,
    seenAt: null,
    offDutyReason: null,
    createdAt: now,
    updatedAt: now,
    version: 0,
    ...changes,
  };
  const outcome = await writer.commit({ statements: [driverInsert(row)] });
  if (outcome.status !== 'committed') throw new Error(`No driver: ${JSON.stringify(outcome)}`);
  return row.id;
}

/** Executes a command without a precondition, with an actor that may give it. */
export function give(
  shard: TestShard,
  process: Process,
  shipmentId: Uuid,
  command: Command,
  actor: Actor = ACTOR_OF[command.name],
) {
  const order: CommandOrder = {
    shipmentId,
    command,
    actor,
    precondition: { kind: 'any' },
    correlationId: newId(),
  };
  return executeCommand(process, shard.scope, order);
}

const ACTOR_OF: Readonly<Record<Command['name'], Actor>> = {
  APPROVE: 'SYSTEM',
  OFFER: 'SYSTEM',
  EXPIRE_OFFER: 'SYSTEM',
  GIVE_UP: 'SYSTEM',
  RETRY_DISPATCH: 'MERCHANT',
  CANCEL: 'MERCHANT',
  ACCEPT: 'DRIVER',
  DECLINE: 'DRIVER',
  RELEASE: 'DRIVER',
  PICK_UP: 'DRIVER',
  DEPART: 'DRIVER',
  DELIVER: 'DRIVER',
  FAIL: 'DRIVER',
  RECALL: 'MERCHANT',
  REASSIGN: 'OPERATOR',
  TAKE_OVER: 'OPERATOR',
  AMEND: 'MERCHANT',
};

/** An offer to a driver, as dispatch would make it now. */
export function offerTo({ clock }: TestShard, driverId: Uuid): Command {
  return { name: 'OFFER', offerId: newId(), driverId, expiresAt: addSeconds(clock.now(), 60) };
}

/** A new shipment that the driver has taken to the door. */
export async function atTheDoor(shard: TestShard, process: Process, driverId: Uuid): Promise<Uuid> {
  const id = await addShipment(shard, process);
  await give(shard, process, id, { name: 'APPROVE' });
  await give(shard, process, id, offerTo(shard, driverId));
  for (const name of ['ACCEPT', 'PICK_UP', 'DEPART'] as const) await give(shard, process, id, { name, driverId });
  return id;
}

/** A new shipment that its recipient has refused, so that its parcel waits for a decision. */
export async function refusedAtTheDoor(shard: TestShard, process: Process, driverId: Uuid): Promise<Uuid> {
  const id = await atTheDoor(shard, process, driverId);
  const command = { name: 'FAIL', driverId, reasonCode: 'RECIPIENT_REFUSED', comment: null } as const;
  const failed = await give(shard, process, id, command);
  if (!failed.ok) throw new Error(`Not failed: ${JSON.stringify(failed)}`);
  return id;
}

/** The number of shipments in each state. */
export async function countStates(shard: TestShard): Promise<Record<string, number>> {
  const counted = await shard.rows('SELECT state, count(*) FROM shipments GROUP BY state ORDER BY state');
  return Object.fromEntries(counted) as Record<string, number>;
}
