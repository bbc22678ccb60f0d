import type { Database } from '../../../db/database.ts';
import type { WriteStatement } from '../../../db/statement.ts';
import type { Writer } from '../../../db/writer.ts';
import type { DriverSessions } from '../../access/driver-token.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { SandboxReadiness } from '../../contract/sandbox.ts';
import type { Instant } from '../../core/instant.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { ServiceLevelBook } from '../offers/service-level-book.ts';
import { settle } from '../settle.ts';
import type { FaultBook } from './fault/fault.ts';
import {
  branchFixture,
  driverFixture,
  driverIdOf,
  driverPhoneOf,
  pickupLocationFixture,
  serviceLevelFixture,
} from './fixtures.ts';
import { phoneClaim, phoneClaimed } from './phone-store.ts';
import { type ReadinessDependencies, readReadiness } from './readiness.ts';
import {
  type Fixtures,
  fixtureStatements,
  holdUpdate,
  leadUpdate,
  resetStatements,
  sandboxInsert,
  sandboxOf,
} from './store.ts';

export interface SandboxDependencies extends ReadinessDependencies {
  readonly writer: Writer;
  readonly directory: { readonly database: Database; readonly writer: Writer };
  readonly serviceLevelBook: ServiceLevelBook;
  readonly faultBook: FaultBook;
  readonly driverSessions: Pick<DriverSessions, 'deleteOf'>;
}

/** Two companies get the same phone once in about ten thousand times. Eight times in a row is practically impossible. */
const PHONE_ATTEMPTS_MAX = 8;

/** Creates the fixtures that a company needs for shipments. Later calls only return them. */
export async function bootstrapSandbox(
  dependencies: SandboxDependencies,
  scope: CompanyScope,
): Promise<Result<{ readonly isNew: boolean; readonly readiness: SandboxReadiness }>> {
  const { database, writer, clock, serviceLevelBook } = dependencies;
  const found = await database.read(sandboxOf(scope));
  if (!found.ok) return unavailable();
  let isNew = false;
  if (found.rows.length === 0) {
    const now = clock.now();
    const fixtures = await fixturesOf(dependencies, scope, now);
    if (!fixtures.ok) return fixtures;
    const [main, relief] = fixtures.value.drivers;
    if (main === undefined || relief === undefined) throw new Error('A sandbox has two drivers');
    const row = { driverId: main.id, reliefDriverId: relief.id, createdAt: now };
    const made = settle(
      await writer.commit({ statements: [sandboxInsert(scope, row), ...fixtureStatements(fixtures.value)] }),
    );
    if (!made.ok) return made;
    isNew = made.value;
    serviceLevelBook.forget(database.id);
  }
  const readiness = await readReadiness(dependencies, scope);
  return readiness.ok ? ok({ isNew, readiness: readiness.value }) : readiness;
}

/** Sets whether the next shipment is held before any offer. */
export function setDispatchHold(dependencies: SandboxDependencies, scope: CompanyScope, isHeld: boolean) {
  return setSandbox(dependencies, scope, holdUpdate(scope, isHeld));
}

/** Sets how long before their pickup windows the next shipments are dispatched; null: at once. */
export function setDispatchLead(dependencies: SandboxDependencies, scope: CompanyScope, leadSeconds: number | null) {
  return setSandbox(dependencies, scope, leadUpdate(scope, leadSeconds));
}

async function setSandbox(
  dependencies: SandboxDependencies,
  scope: CompanyScope,
  statement: WriteStatement,
): Promise<Result<SandboxReadiness>> {
  const set = settle(await dependencies.writer.commit({ statements: [statement] }));
  if (!set.ok) return set;
  return set.value ? readReadiness(dependencies, scope) : refuse('SANDBOX_NOT_READY');
}

/**
 * Starts the next generation: restores the fixtures, removes hold and faults, ends scenarios and signs the sandbox's
 * drivers out. Shipments do not change.
 */
export async function resetSandbox(
  dependencies: SandboxDependencies,
  scope: CompanyScope,
): Promise<Result<SandboxReadiness>> {
  const { writer, clock, serviceLevelBook, database, faultBook, driverSessions } = dependencies;
  const fixtures = await fixturesOf(dependencies, scope, clock.now());
  if (!fixtures.ok) return fixtures;
  const reset = settle(
    await writer.commit({ statements: [...resetStatements(scope), ...fixtureStatements(fixtures.value)] }),
  );
  faultBook.forget(scope.companyId);
  serviceLevelBook.forget(database.id);
  for (const { id } of fixtures.value.drivers) driverSessions.deleteOf(id);
  if (!reset.ok) return reset;
  return reset.value ? readReadiness(dependencies, scope) : refuse('SANDBOX_NOT_READY');
}

async function fixturesOf(
  dependencies: SandboxDependencies,
  scope: CompanyScope,
  now: Instant,
): Promise<Result<Fixtures>> {
  const { companyId } = scope;
  const drivers: ReturnType<typeof driverFixture>[] = [];
  for (const role of ['main', 'relief'] as const) {
    const id = await driverIdOf(companyId, role);
    const phone = await claimPhone(dependencies, scope, { id, role, now });
    if (!phone.ok) return phone;
    drivers.push(driverFixture(companyId, { id, phone: phone.value, role }, now));
  }
  return ok({
    branch: branchFixture(companyId, now),
    pickupLocation: pickupLocationFixture(companyId, now),
    serviceLevel: serviceLevelFixture(now),
    drivers,
  });
}

/** The phone of this driver in the directory, claimed now or by an earlier bootstrap. */
async function claimPhone(
  { directory }: SandboxDependencies,
  { companyId, shard }: CompanyScope,
  { id, role, now }: { id: Uuid; role: 'main' | 'relief'; now: Instant },
): Promise<Result<string>> {
  for (let attempt = 0; attempt < PHONE_ATTEMPTS_MAX; attempt += 1) {
    const phone = await driverPhoneOf(companyId, role, attempt);
    const claimed = settle(
      await directory.writer.commit({ statements: [phoneClaim({ phone, driverId: id, shard, createdAt: now })] }),
    );
    if (!claimed.ok) return claimed;
    const holder = await directory.database.read(phoneClaimed(phone));
    if (!holder.ok) return unavailable();
    if (holder.rows[0]?.driverId === id) return ok(phone);
  }
  return unavailable();
}
