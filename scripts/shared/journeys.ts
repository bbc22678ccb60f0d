import type { Environment } from './connection.ts';
import { type ForcedState, forceState, setApprovalPolicy } from './force-state.ts';
import { newSandbox, type Sandbox, type TestDriver } from './sandbox.ts';
import { createLink, secrets } from './tracking.ts';

/** The cases of the tracking page, by name. */
export const CASES = [
  'not confirmed',
  'looking for a driver',
  'no driver',
  'accepted',
  'picked up',
  'out for delivery',
  'position too old',
  'delivered',
  'failed',
  'cancelled',
] as const;
export type Case = (typeof CASES)[number];

/** The driver's actions that lead to a case. */
const ACTIONS: Partial<Record<Case, readonly string[]>> = {
  accepted: ['ACCEPT'],
  'picked up': ['ACCEPT', 'PICK_UP'],
  'out for delivery': ['ACCEPT', 'PICK_UP', 'DEPART'],
  'position too old': ['ACCEPT', 'PICK_UP', 'DEPART'],
  delivered: ['ACCEPT', 'PICK_UP', 'DEPART', 'DELIVER'],
};
const FORCED: Partial<Record<Case, ForcedState>> = {
  'no driver': 'DISPATCH_UNRESOLVED',
  failed: 'DELIVERY_FAILED',
  cancelled: 'CANCELLED',
};
const POSITION = { latitude: 24.7511, longitude: 46.6602 };

export interface Journey {
  readonly sandbox: Sandbox;
  readonly driver: TestDriver;
  readonly shipmentId: string;
  readonly shipmentNumber: string;
  readonly linkId: string;
  readonly path: string;
}

/** A shipment in this case, with a tracking link. */
export async function journeyTo(environment: Environment, name: Case): Promise<Journey> {
  const sandbox = await newSandbox(environment, 'shard-1');
  const { company } = sandbox;
  if (name === 'not confirmed') await setApprovalPolicy(environment, company, 'MANUAL');
  const driver = await sandbox.signIn();
  const body = { ...secrets(), codAmount: 94.5, paymentMethod: 'COD' };
  const { shipmentId, shipmentNumber } = await sandbox.create(body);
  const { linkId, token } = await createLink(sandbox.merchant, shipmentId);
  const journey = { sandbox, driver, shipmentId, shipmentNumber, linkId, path: `/t/${token}` };
  if (name === 'not confirmed') return journey;
  await sandbox.untilState(shipmentId, 'OFFERED');
  // The position of a sandbox's driver is stored when the sandbox begins. A newer report would replace an old one.
  const isTooOld = name === 'position too old';
  for (const action of ACTIONS[name] ?? []) await act(journey, action, !isTooOld);
  if (isTooOld) await ageOfPosition(environment, journey, 300);
  const forced = FORCED[name];
  if (forced === 'DELIVERY_FAILED') await forceState(environment, company, shipmentId, 'OUT_FOR_DELIVERY');
  if (forced !== undefined) await forceState(environment, company, shipmentId, forced);
  return journey;
}

/** A driver's action at a place between pickup and destination. */
export async function act({ driver, shipmentId }: Journey, action: string, hasPosition = true): Promise<void> {
  const response = await driver.act(shipmentId, { action, ...(hasPosition ? { position: POSITION } : {}) });
  if (response.status !== 200) throw new Error(`${action}: ${response.status} ${await response.text()}`);
}

/** Makes the driver's last position this many seconds old. */
async function ageOfPosition(environment: Environment, { sandbox, shipmentId }: Journey, seconds: number) {
  await environment.sql(
    sandbox.company.shard,
    'update drivers set position_at = position_at - ? where id = (select driver_id from shipments where id = ?)',
    [seconds * 1_000_000, shipmentId],
  );
}
