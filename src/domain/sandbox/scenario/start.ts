import type { CompanyScope } from '../../../access/require.ts';
import type { ScenarioName } from '../../../contract/driver-state.ts';
import type { SandboxScenario } from '../../../contract/sandbox.ts';
import type { Location } from '../../../contract/shipment.ts';
import { formatInstant } from '../../../core/instant.ts';
import { parseStored } from '../../../core/json.ts';
import { ok, type Result, refuse, unavailable } from '../../../core/result.ts';
import type { Uuid } from '../../../core/uuid.ts';
import { type RecordDependencies, replaceNationalAddress } from '../../addresses/record.ts';
import { settle } from '../../settle.ts';
import { type AmendDependencies, amendShipment } from '../../shipments/amend.ts';
import { readOffered } from '../../shipments/read-windows.ts';
import { followUpOf } from '../../shipments/resolution-store.ts';
import { type ShipmentRow, shipmentById } from '../../shipments/store.ts';
import { planNow, sandboxOf } from '../store.ts';
import { scenarioRefusal } from './scenario.ts';
import { scenarioUpsert } from './store.ts';

interface StartOrder {
  readonly shipmentId: Uuid;
  readonly name: ScenarioName;
  readonly stepSeconds: number;
  readonly correlationId: Uuid;
}

export interface StartDependencies extends RecordDependencies, AmendDependencies {
  /** Compares the National Address of a shipment with the registry. */
  readonly compareAddress: (shipmentId: Uuid) => Promise<void>;
}

/** Starts a scenario for a shipment. The database stores its position, and the alarm runs its steps. */
export async function startScenario(
  dependencies: StartDependencies,
  scope: CompanyScope,
  { shipmentId, name, stepSeconds, correlationId }: StartOrder,
): Promise<Result<SandboxScenario>> {
  const { database, writer, clock } = dependencies;
  const answer = await database.readAll([
    shipmentById(scope, shipmentId),
    sandboxOf(scope),
    followUpOf(scope, shipmentId),
  ] as const);
  if (!answer.ok) return unavailable();
  const [[shipment], [sandbox], [followUp]] = answer.results;
  if (shipment === undefined) return refuse('ACCESS_DENIED');
  if (sandbox === undefined) return refuse('SANDBOX_NOT_READY');
  const refusal = scenarioRefusal(name, shipment.state);
  if (refusal !== undefined) return refusal;
  // Nobody takes a return back.
  if (name === 'RECALLED' && followUp?.kind === 'RETURN')
    return refuse('INVALID_STATE_TRANSITION', { members: { currentState: shipment.state } });
  if (name === 'WINDOW_MISSED' && shipment.deliveryWindowStart === null) {
    const asked = await askForFirst(dependencies, scope, { shipmentId, correlationId });
    if (!asked.ok) return asked;
  }
  if (name === 'ADDRESS_MISMATCH') {
    const misplaced = await misplaceAddress(dependencies, scope, shipment);
    if (!misplaced.ok) return misplaced;
  }
  const now = clock.now();
  const order = scenarioUpsert(scope, { shipmentId, name, stepSeconds, dueAt: now });
  // Without it a shipment that waits would be given up only at the end of its wait.
  const statements = name === 'NO_DRIVER' ? [order, planNow(scope, shipmentId, now)] : [order];
  const started = settle(await writer.commit({ statements, dueAt: now }));
  if (!started.ok) return started;
  return ok({ shipmentId, name, stepSeconds, startedAt: formatInstant(now) });
}

/** Asks for the first delivery window that is offered, as the merchant could. */
async function askForFirst(
  dependencies: AmendDependencies,
  scope: CompanyScope,
  order: Pick<StartOrder, 'shipmentId' | 'correlationId'>,
): Promise<Result<unknown>> {
  const found = await readOffered(dependencies, scope, order.shipmentId);
  if (!found.ok) return found;
  const [first] = found.value.offered;
  if (first === undefined) return ok(undefined);
  const request = { windowStart: first.start };
  const asker = { actor: 'MERCHANT' } as const;
  const terms = { precondition: { kind: 'any' }, priceLimit: undefined, claim: undefined } as const;
  return amendShipment(dependencies, scope, { ...order, request, asker, ...terms });
}

/** The addresses that the registry of a sandbox knows: one in Jeddah, one in Riyadh. */
const [IN_JEDDAH, IN_RIYADH] = ['JEDA1234', 'RRRD2929'];

/** Gives the shipment an address that the registry has in another city, and compares it at once. */
async function misplaceAddress(dependencies: StartDependencies, scope: CompanyScope, { id, destination }: ShipmentRow) {
  const shortAddress = parseStored<Location>(destination).cityCode === 'JED' ? IN_RIYADH : IN_JEDDAH;
  const precondition = { kind: 'any' } as const;
  const order = { shipmentId: id, shortAddress, source: 'MERCHANT', precondition, isWrong: true } as const;
  const replaced = await replaceNationalAddress(dependencies, scope, order);
  if (replaced.ok) await dependencies.compareAddress(id);
  return replaced;
}
