import type { Database } from '../../../../db/database.ts';
import type { Writer } from '../../../../db/writer.ts';
import type { CompanyScope } from '../../../access/require.ts';
import type { ScenarioName } from '../../../contract/driver-state.ts';
import type { SandboxScenario } from '../../../contract/sandbox.ts';
import { formatInstant } from '../../../core/instant.ts';
import { ok, type Result, refuse, unavailable } from '../../../core/result.ts';
import type { Uuid } from '../../../core/uuid.ts';
import type { CompanyClock } from '../../../ports/clock.ts';
import { settle } from '../../settle.ts';
import { shipmentById } from '../../shipments/store.ts';
import { planNow, sandboxOf } from '../store.ts';
import { scenarioRefusal } from './scenario.ts';
import { scenarioUpsert } from './store.ts';

export interface StartDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
}

/** Starts a scenario for a shipment. The database stores its position, and the alarm runs its steps. */
export async function startScenario(
  { database, writer, clock }: StartDependencies,
  scope: CompanyScope,
  {
    shipmentId,
    name,
    stepSeconds,
  }: { readonly shipmentId: Uuid; readonly name: ScenarioName; readonly stepSeconds: number },
): Promise<Result<SandboxScenario>> {
  const answer = await database.readAll([shipmentById(scope, shipmentId), sandboxOf(scope)] as const);
  if (!answer.ok) return unavailable();
  const [[shipment], [sandbox]] = answer.results;
  if (shipment === undefined) return refuse('ACCESS_DENIED');
  if (sandbox === undefined) return refuse('SANDBOX_NOT_READY');
  const refusal = scenarioRefusal(name, shipment.state);
  if (refusal !== undefined) return refusal;
  const now = clock.now();
  const order = scenarioUpsert(scope, { shipmentId, name, stepSeconds, dueAt: now });
  // Without it a shipment that waits would be given up only at the end of its wait.
  const statements = name === 'NO_DRIVER' ? [order, planNow(scope, shipmentId, now)] : [order];
  const started = settle(await writer.commit({ statements, dueAt: now }));
  if (!started.ok) return started;
  return ok({ shipmentId, name, stepSeconds, startedAt: formatInstant(now) });
}
