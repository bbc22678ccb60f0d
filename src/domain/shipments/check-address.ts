import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import { type CompanyScope, scopeForService } from '../../access/require.ts';
import type { AddressStatus } from '../../contract/address-state.ts';
import { isTerminal } from '../../contract/shipment-state.ts';
import type { Deployment } from '../../core/deployment.ts';
import { metersBetween } from '../../core/earth.ts';
import type { Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { ADDRESS_METERS_MAX } from '../../core/limits.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { RegistryAnswer } from '../../ports/addresses.ts';
import type { Clock, CompanyClock } from '../../ports/clock.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Random } from '../../ports/random.ts';
import type { Coordinates } from '../../ports/routing.ts';
import { nextCheckAt } from '../addresses/check-schedule.ts';
import { gateClosed } from '../addresses/gate-change-store.ts';
import { presentAddress } from '../addresses/record.ts';
import { type AddressRow, addressChecked, addressesDue, addressOf, checkPostponed } from '../addresses/record-store.ts';
import type { ClockBook } from '../clocks/company-clock.ts';
import { settle } from '../settle.ts';
import { factEvent } from './fact.ts';
import { type ShipmentRow, shipmentById } from './store.ts';

/*
 * Compares the National Addresses of shipments with the registry, outside of any request: the registry may be slow, away or out
 * of quota, and no shipment waits for it.
 */

export interface CheckDependencies {
  /** The company's shard. */
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly clockBook: ClockBook;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly config: { readonly deployment: Deployment };
  /** Asks the registry for a company: its sandbox may have set a fault. */
  readonly findFor: (scope: CompanyScope) => (shortAddress: string) => Promise<RegistryAnswer>;
}

/** Of one sweep, which has a minute. Each may wait for two seconds. */
const CHECKS_MAX = 20;

/** Checks the addresses of the shard that are due. */
export async function checkDueAddresses(dependencies: CheckDependencies): Promise<void> {
  const { database, clock } = dependencies;
  const due = await database.read(addressesDue(clock.now(), CHECKS_MAX));
  if (!due.ok) return;
  for (const { companyId, shipmentId } of due.rows)
    await checkAddress(dependencies, scopeForService(database.id, companyId), shipmentId);
}

/** Checks one address that is not verified yet. A second check at the same time does no harm: its unit is refused. */
export async function checkAddress(
  dependencies: CheckDependencies,
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<void> {
  const { database, clockBook, metrics, findFor } = dependencies;
  const [read, clock] = await Promise.all([
    database.readAll([addressOf(scope, shipmentId), shipmentById(scope, shipmentId)] as const),
    clockBook.clockOf(database, scope.companyId),
  ]);
  const [[row], [shipment]] = read.ok ? read.results : NOTHING_READ;
  if (
    row === undefined ||
    shipment === undefined ||
    !clock.ok ||
    row.status !== 'UNVERIFIED' ||
    row.shortAddress === null
  )
    return;
  // Nobody needs to know any more.
  if (isTerminal(row.state)) return setNextCheck(dependencies, row, null);
  const answer = await findFor(scope)(row.shortAddress);
  if (answer.kind === 'unavailable') {
    metrics.count('address_checks', ['UNVERIFIED']);
    const next = nextCheckAt(row.checkAttempts ?? 0, answer.retryAfterSeconds, dependencies.clock.now());
    return setNextCheck(dependencies, row, next);
  }
  const result = resultOf(row, answer);
  metrics.count('address_checks', [result.status]);
  await storeResult(dependencies, { row, shipment, result, clock: clock.value });
}

const NOTHING_READ = [[], []] as const;

interface CheckResult {
  readonly status: AddressStatus;
  readonly found: string | null;
  readonly distanceMeters: number | null;
}

/** A pure function. */
function resultOf(row: AddressRow, answer: Exclude<RegistryAnswer, { kind: 'unavailable' }>): CheckResult {
  if (answer.kind === 'unknown') return { status: 'NOT_FOUND', found: null, distanceMeters: null };
  const distanceMeters = Math.round(metersBetween(parseStored<Coordinates>(row.destination), answer.address.location));
  const status = distanceMeters > ADDRESS_METERS_MAX ? 'MISMATCH' : 'VERIFIED';
  return { status, found: JSON.stringify(answer.address), distanceMeters };
}

interface Checked {
  readonly row: AddressRow;
  readonly shipment: ShipmentRow;
  readonly result: CheckResult;
  readonly clock: CompanyClock;
}

/** The result, the gate and the event in one unit. If the address was replaced meanwhile, the unit is refused. */
async function storeResult(
  { writer, random, config }: CheckDependencies,
  { row, shipment, result, clock }: Checked,
): Promise<void> {
  const { shipmentId, companyId } = row;
  const now = clock.now();
  const version = row.version ?? 0;
  const isWrong = result.status !== 'VERIFIED';
  const checked = { ...row, ...result, checkedAt: now, version: version + 1 };
  const shown = presentAddress(isWrong && row.gate === 'OPEN' ? { ...checked, gate: 'CLOSED' } : checked);
  const recorded = factEvent({ random, config, clock }, shipment, {
    type: 'national_address.checked',
    occurredAt: now,
    correlationId: random.uuid(),
    data: { nationalAddress: shown },
  });
  const statements = [
    addressChecked({ shipmentId, companyId, version }, { ...result, checkedAt: now }),
    ...(isWrong ? [gateClosed({ companyId, shipmentId, now })] : []),
    ...(row.gate === 'OFF' ? [] : recorded),
  ];
  settle(await writer.commit({ statements, dueAt: now }));
}

async function setNextCheck({ writer }: CheckDependencies, row: AddressRow, at: Instant | null): Promise<void> {
  const { shipmentId, companyId, version } = row;
  const statement = checkPostponed({ shipmentId, companyId, version: version ?? 0 }, at);
  settle(await writer.commit({ statements: [statement] }));
}
