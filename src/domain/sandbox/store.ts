import { and, eq, isNotNull, not, sql } from 'drizzle-orm';
import { drivers, serviceLevels } from '../../../db/shard/schema/dispatch.ts';
import { driverSessions } from '../../../db/shard/schema/driver-access.ts';
import { branches, pickupLocations } from '../../../db/shard/schema/places.ts';
import { sandboxes, sandboxScenarios } from '../../../db/shard/schema/sandbox.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { columnsOf, placeholder, placesOf, queries, read, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { addressWaitEnd, isGateClosed } from '../addresses/gate-store.ts';
import { faultsDelete } from './fault/store.ts';
import type { branchFixture, driverFixture, pickupLocationFixture, serviceLevelFixture } from './fixtures.ts';

/* The SQL of sandboxes: the fixtures of a company and its hold. */

export type SandboxRow = typeof sandboxes.$inferSelect;

const ofCompany = eq(sandboxes.companyId, placeholder('companyId'));
const selectSandbox = read(columnsOf(sandboxes), (columns) => queries.select(columns).from(sandboxes).where(ofCompany));
export function sandboxOf(scope: CompanyScope) {
  return selectSandbox({ companyId: scope.companyId });
}

const insertSandbox = write(
  queries
    .insert(sandboxes)
    .values({
      companyId: placeholder('companyId'),
      generation: 1,
      dispatchHeld: 0,
      driverId: placeholder('driverId'),
      reliefDriverId: placeholder('reliefDriverId'),
      createdAt: placeholder('createdAt'),
    })
    .onConflictDoNothing(),
  { mustChange: true },
);
/** The company's sandbox. Refuses the unit if the company already has one. */
export function sandboxInsert(scope: CompanyScope, row: Pick<SandboxRow, 'driverId' | 'reliefDriverId' | 'createdAt'>) {
  return insertSandbox({ companyId: scope.companyId, ...row });
}

const fixtureDriver = {
  id: drivers.id,
  phone: drivers.phone,
  onDuty: drivers.onDuty,
  status: drivers.status,
  activeCount: drivers.activeCount,
  activeMax: drivers.activeMax,
};
const selectDrivers = read(fixtureDriver, (columns) =>
  queries.select(columns).from(drivers).innerJoin(sandboxes, eq(sandboxes.driverId, drivers.id)).where(ofCompany),
);
/** The driver whose phone the company uses to sign in. */
export function sandboxDriver(scope: CompanyScope) {
  return selectDrivers({ companyId: scope.companyId });
}

const upsertBranch = write(
  queries
    .insert(branches)
    .values(placesOf(branches))
    .onConflictDoUpdate({
      target: [branches.companyId, branches.branchCode],
      // Restores the original values, even if people of the company have changed them.
      set: {
        name: sql`excluded.name`,
        nameAr: sql`excluded.name_ar`,
        cityCode: sql`excluded.city_code`,
        status: sql`'ACTIVE'`,
        updatedAt: sql`excluded.updated_at`,
        version: sql`${branches.version} + 1`,
      },
    }),
);
const upsertPickupLocation = write(
  queries
    .insert(pickupLocations)
    .values(placesOf(pickupLocations))
    .onConflictDoUpdate({
      target: [pickupLocations.companyId, pickupLocations.pickupLocationCode],
      set: {
        status: sql`'ACTIVE'`,
        branchCode: sql`excluded.branch_code`,
        name: sql`excluded.name`,
        nameAr: sql`excluded.name_ar`,
        addressLine: sql`excluded.address_line`,
        cityCode: sql`excluded.city_code`,
        contactName: sql`excluded.contact_name`,
        contactPhone: sql`excluded.contact_phone`,
        instructions: sql`excluded.instructions`,
        latitude: sql`excluded.latitude`,
        longitude: sql`excluded.longitude`,
        updatedAt: sql`excluded.updated_at`,
        version: sql`${pickupLocations.version} + 1`,
      },
    }),
);
const insertServiceLevel = write(
  queries
    .insert(serviceLevels)
    .values(placesOf(serviceLevels))
    // All sandboxes of the shard share it, so a reset restores its values.
    .onConflictDoUpdate({
      target: serviceLevels.code,
      set: {
        capabilities: sql`excluded.capabilities`,
        weightKilogramsMax: sql`excluded.weight_kilograms_max`,
        lengthCentimetresMax: sql`excluded.length_centimetres_max`,
        cities: sql`excluded.cities`,
        status: sql`'ACTIVE'`,
      },
    }),
);
const upsertDriver = write(
  queries
    .insert(drivers)
    .values(placesOf(drivers))
    .onConflictDoUpdate({
      target: drivers.id,
      set: {
        status: sql`'ACTIVE'`,
        onDuty: sql`1`,
        companyId: sql`excluded.company_id`,
        capabilities: sql`excluded.capabilities`,
        weightKilogramsMax: sql`excluded.weight_kilograms_max`,
        lengthCentimetresMax: sql`excluded.length_centimetres_max`,
        cityCode: sql`excluded.city_code`,
        activeMax: sql`max(excluded.active_max, ${drivers.activeCount})`,
        latitude: sql`excluded.latitude`,
        longitude: sql`excluded.longitude`,
        positionAt: sql`excluded.position_at`,
        updatedAt: sql`excluded.updated_at`,
        version: sql`${drivers.version} + 1`,
      },
    }),
);
export interface Fixtures {
  readonly branch: ReturnType<typeof branchFixture>;
  readonly pickupLocation: ReturnType<typeof pickupLocationFixture>;
  readonly serviceLevel: ReturnType<typeof serviceLevelFixture>;
  readonly drivers: readonly ReturnType<typeof driverFixture>[];
}
/** Creates missing fixtures of a sandbox, and restores existing ones to a usable state. */
export function fixtureStatements(fixtures: Fixtures) {
  return [
    upsertBranch({ ...fixtures.branch }),
    upsertPickupLocation({ ...fixtures.pickupLocation }),
    insertServiceLevel({ ...fixtures.serviceLevel }),
    ...fixtures.drivers.map((driver) => upsertDriver({ ...driver })),
  ];
}

const updateHold = write(
  queries
    .update(sandboxes)
    .set({ dispatchHeld: sql`${placeholder('held')}` })
    .where(ofCompany),
  { mustChange: true },
);
/** Sets whether the company's next shipment is held. Refuses the unit if there is no sandbox. */
export function holdUpdate(scope: CompanyScope, isHeld: boolean) {
  return updateHold({ companyId: scope.companyId, held: isHeld ? 1 : 0 });
}

const updateLead = write(
  queries
    .update(sandboxes)
    .set({ leadSeconds: sql`${placeholder('leadSeconds')}` })
    .where(ofCompany),
  { mustChange: true },
);
/** Sets how long before their pickup windows the company's next shipments are dispatched. Refuses the unit if there is no sandbox. */
export function leadUpdate(scope: CompanyScope, leadSeconds: number | null) {
  return updateLead({ companyId: scope.companyId, leadSeconds });
}

const ofShipment = and(eq(shipments.id, placeholder('shipmentId')), eq(shipments.companyId, placeholder('companyId')));
const fromNow = { dueAt: sql`max(${placeholder('now')}, coalesce(${shipments.searchFrom}, 0))` };
const release = write(
  queries
    .update(shipments)
    .set({
      held: sql`0`,
      readySince: sql`case when ${shipments.readySince} is null then null else max(${placeholder('now')}, ${shipments.searchSince}) end`,
      searchSince: sql`max(${placeholder('now')}, ${shipments.searchSince})`,
      dueAt: sql`case when ${shipments.state} <> 'READY_FOR_DISPATCH' then ${shipments.dueAt}
        when ${isGateClosed} then ${addressWaitEnd(placeholder('now'))} else ${fromNow.dueAt} end`,
    })
    .where(and(ofShipment, eq(shipments.held, 1))),
  { mustChange: true },
);
const lookNow = write(
  queries
    .update(shipments)
    .set(fromNow)
    .where(and(ofShipment, eq(shipments.state, 'READY_FOR_DISPATCH'), isNotNull(shipments.dueAt), not(isGateClosed))),
);
/** Plans a waiting shipment anew at once, unless it is held or waits for its National Address. */
export function planNow(scope: CompanyScope, shipmentId: Uuid, now: Instant) {
  return lookNow({ companyId: scope.companyId, shipmentId, now });
}
/** Releases a held shipment: it waits for a driver from now on. Refuses the unit if it is not held. */
export function releaseUpdate(scope: CompanyScope, shipmentId: Uuid, now: Instant) {
  return release({ companyId: scope.companyId, shipmentId, now });
}

const nextGeneration = write(
  queries
    .update(sandboxes)
    .set({ generation: sql`${sandboxes.generation} + 1`, dispatchHeld: sql`0`, leadSeconds: sql`null` })
    .where(ofCompany),
  { mustChange: true },
);
const endScenarios = write(
  queries
    .update(sandboxScenarios)
    .set({ dueAt: sql`null`, lastError: sql`'The sandbox was reset'` })
    .where(and(eq(sandboxScenarios.companyId, placeholder('companyId')), sql`${sandboxScenarios.dueAt} is not null`)),
);
const endSessions = write(
  queries
    .delete(driverSessions)
    .where(
      sql`${driverSessions.driverId} in (select driver_id from sandboxes where company_id = ${placeholder('companyId')} union all select relief_driver_id from sandboxes where company_id = ${placeholder('companyId')})`,
    ),
);
/**
 * Starts the next generation: no hold, no dispatch settings, no faults, no running scenario, no driver session. Refuses the unit if there is
 * no sandbox.
 */
export function resetStatements(scope: CompanyScope) {
  const { companyId } = scope;
  return [nextGeneration({ companyId }), faultsDelete(scope), endScenarios({ companyId }), endSessions({ companyId })];
}
