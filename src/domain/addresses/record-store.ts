import { and, asc, eq, isNotNull, lte, type SQL, sql } from 'drizzle-orm';
import { isAtHome } from '../../../db/shard/moving.ts';
import { nationalAddresses } from '../../../db/shard/schema/national-addresses.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { placeholder, queries, read, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { AddressSource } from '../../contract/address-state.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of the National Addresses of shipments. */

export type NationalAddressRow = typeof nationalAddresses.$inferSelect;

const recordColumns = {
  shipmentId: shipments.id,
  companyId: shipments.companyId,
  state: shipments.state,
  gate: shipments.addressGate,
  destination: shipments.destination,
  recipientPhone: shipments.recipientPhone,
  shortAddress: nationalAddresses.shortAddress,
  status: nationalAddresses.status,
  source: nationalAddresses.source,
  found: nationalAddresses.found,
  distanceMeters: nationalAddresses.distanceMeters,
  checkedAt: nationalAddresses.checkedAt,
  checkAttempts: nationalAddresses.checkAttempts,
  version: nationalAddresses.version,
};
const ofShipment = and(eq(shipments.id, placeholder('shipmentId')), eq(shipments.companyId, placeholder('companyId')));
const selectRecord = read(recordColumns, (columns) =>
  queries
    .select(columns)
    .from(shipments)
    .leftJoin(nationalAddresses, eq(nationalAddresses.shipmentId, shipments.id))
    .where(ofShipment),
);
type Selected = ReturnType<ReturnType<typeof selectRecord>['decode']>;
/** A shipment with its National Address. Without one, the members of the address are null. */
export type AddressRow = {
  [Name in keyof Selected]: Name extends 'status' | 'source' | 'checkAttempts' | 'version'
    ? Selected[Name] | null
    : Selected[Name];
};
export function addressOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectRecord({ companyId: scope.companyId, shipmentId });
}

const compileReplacement = (version: SQL, isExpected: SQL) =>
  write(
    queries
      .insert(nationalAddresses)
      .select(
        sql`select ${shipments.id}, ${shipments.companyId}, ${placeholder('shortAddress')}, 'UNVERIFIED', ${placeholder('source')}, null, null, null,
        ${placeholder('checkDueAt')}, 0, ${version} from ${shipments} where ${ofShipment} and ${shipments.forgottenAt} is null`,
      )
      .onConflictDoUpdate({
        target: nationalAddresses.shipmentId,
        set: {
          shortAddress: sql`excluded.short_address`,
          status: sql`'UNVERIFIED'`,
          source: sql`excluded.source`,
          found: sql`null`,
          distanceMeters: sql`null`,
          checkedAt: sql`null`,
          checkDueAt: sql`excluded.check_due_at`,
          checkAttempts: sql`0`,
          version: sql`excluded.version`,
        },
        setWhere: isExpected,
      }),
    { mustChange: true },
  );
const replaceVersion = compileReplacement(
  sql`${placeholder('version')} + 1`,
  sql`${nationalAddresses.version} = excluded.version - 1`,
);
export interface AddressReplacement {
  readonly shortAddress: string;
  readonly source: AddressSource;
  /** When the registry is asked, in real time. */
  readonly checkDueAt: Instant | null;
  /** The version that it replaces. */
  readonly version: number;
}
/** Replaces the address, which is then unverified. Refuses the unit if it has another version or the recipient is forgotten. */
export function addressReplaced(scope: CompanyScope, shipmentId: Uuid, replacement: AddressReplacement) {
  return replaceVersion({ companyId: scope.companyId, shipmentId, ...replacement });
}

const replaceCode = compileReplacement(
  sql`1 + coalesce((select version from national_addresses where shipment_id = ${placeholder('shipmentId')}), 0)`,
  sql`${nationalAddresses.shortAddress} is ${placeholder('from')}`,
);
/** The same for an amendment of the shipment, which keeps the code before it. Refuses the unit if that is another one by now. */
export function addressAmended({
  to: shortAddress,
  ...change
}: Omit<AddressReplacement, 'shortAddress' | 'version'> & {
  readonly companyId: Uuid;
  readonly shipmentId: Uuid;
  readonly from: string | null;
  readonly to: string;
}) {
  return replaceCode({ shortAddress, ...change });
}

const isVersion = and(
  eq(nationalAddresses.shipmentId, placeholder('shipmentId')),
  eq(nationalAddresses.companyId, placeholder('companyId')),
  eq(nationalAddresses.version, placeholder('version')),
  eq(nationalAddresses.status, 'UNVERIFIED'),
  // The recipient may have been forgotten meanwhile.
  isNotNull(nationalAddresses.shortAddress),
);
const storeResult = write(
  queries
    .update(nationalAddresses)
    .set({
      status: sql`${placeholder('status')}`,
      found: sql`${placeholder('found')}`,
      distanceMeters: sql`${placeholder('distanceMeters')}`,
      checkedAt: sql`${placeholder('checkedAt')}`,
      checkDueAt: sql`null`,
      version: sql`${nationalAddresses.version} + 1`,
    })
    .where(isVersion),
  { mustChange: true },
);
/** What the registry answered. Refuses the unit if the address was replaced or checked since its version was read. */
export function addressChecked(
  row: { readonly shipmentId: Uuid; readonly companyId: Uuid; readonly version: number },
  result: Pick<NationalAddressRow, 'status' | 'found' | 'distanceMeters' | 'checkedAt'>,
) {
  const { shipmentId, companyId, version } = row;
  return storeResult({ shipmentId, companyId, version, ...result });
}

const postpone = write(
  queries
    .update(nationalAddresses)
    .set({
      checkDueAt: sql`${placeholder('checkDueAt')}`,
      checkAttempts: sql`${nationalAddresses.checkAttempts} + 1`,
    })
    .where(isVersion),
);
/** The registry did not answer: it is asked again at `checkDueAt`, or never. */
export function checkPostponed(
  { shipmentId, companyId, version }: { readonly shipmentId: Uuid; readonly companyId: Uuid; readonly version: number },
  checkDueAt: Instant | null,
) {
  return postpone({ shipmentId, companyId, version, checkDueAt });
}

const dueColumns = { shipmentId: nationalAddresses.shipmentId, companyId: nationalAddresses.companyId };
const selectDue = read(dueColumns, (columns) =>
  queries
    .select(columns)
    .from(nationalAddresses)
    .where(
      and(
        isNotNull(nationalAddresses.checkDueAt),
        lte(nationalAddresses.checkDueAt, placeholder('now')),
        isAtHome(nationalAddresses.companyId),
      ),
    )
    .orderBy(asc(nationalAddresses.checkDueAt))
    .limit(placeholder('limit')),
);
/** Addresses of all companies of the shard that are due to be checked, the longest due first. For the sweep. */
export function addressesDue(now: Instant, limit: number) {
  return selectDue({ now, limit });
}
