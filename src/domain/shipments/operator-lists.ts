import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Sealer } from '../../access/sealer.ts';
import type { OperatorQueue, OperatorShipment, OperatorShipmentDetail } from '../../contract/operator-shipment.ts';
import { sha256, toHex } from '../../core/crypto.ts';
import { addSeconds, formatInstant, type Instant, toMillis } from '../../core/instant.ts';
import { PICKUP_LATE_SECONDS } from '../../core/limits.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import { readCode, readText, withoutUnseen } from '../../core/typed/text.ts';
import { parseUuid, type Uuid } from '../../core/uuid.ts';
import type { Clock } from '../../ports/clock.ts';
import { presentAddress } from '../addresses/record.ts';
import { addressOf } from '../addresses/record-store.ts';
import { type Audit, commitChange } from '../audit/change.ts';
import { auditById } from '../audit/store.ts';
import { companyNamesByIds } from '../companies/store.ts';
import { type MergedList, type Page, type PageRequest, positionOf, readMergedPage } from '../page.ts';
import { foundPage, type OperatorRow, type OperatorSearch, operatorEntry, queuePage } from './operator-store.ts';
import { spellingsOf } from './search.ts';
import { shipmentById } from './store.ts';
import { presentShipment } from './view.ts';

export interface OperatorListDependencies {
  readonly directory: { readonly database: Database };
  readonly shards: ReadonlyMap<string, { readonly database: Database }>;
  readonly cursors: Sealer;
  readonly clock: Clock;
}

/** One page of a queue over all shards, the longest waiting first. */
export function listQueue(
  dependencies: OperatorListDependencies,
  { queue, ...request }: PageRequest & { readonly queue: OperatorQueue },
): Promise<Result<Page<OperatorShipment>>> {
  const late = addSeconds(dependencies.clock.now(), -PICKUP_LATE_SECONDS);
  return readEntries(dependencies, request, {
    binding: ['queue of operators', queue],
    select: (after, rows) => queuePage(queue, late, positionOf(after), rows),
  });
}

/** How much of the time a search by phone may cover: no index has phones, so it reads every shipment of that time. */
const PHONE_SEARCH_SECONDS_MAX = 24 * 3600;
const PHONE_SEARCH_OF_COMPANY_SECONDS_MAX = 31 * PHONE_SEARCH_SECONDS_MAX;

export interface SearchRequest extends PageRequest {
  readonly shipmentNumber?: string | undefined;
  readonly externalReference?: string | undefined;
  /** The last four digits of the recipient's phone. Needs `createdFrom` and `createdTo`. */
  readonly phoneTail?: string | undefined;
  readonly createdFrom?: Instant | undefined;
  readonly createdTo?: Instant | undefined;
  readonly companyId?: Uuid | undefined;
}

/** Shipments with a number, a reference or the end of a phone, over all shards or of one company, oldest first. */
export async function searchShipments(
  dependencies: OperatorListDependencies,
  request: SearchRequest,
): Promise<Result<Page<OperatorShipment>>> {
  const search = searchOf(request);
  if (!search.ok) return search;
  const { limit, cursor, companyId } = request;
  const { by, text } = search.value;
  const time = search.value.by === 'phoneTail' ? `${search.value.from} ${search.value.to}` : undefined;
  return readEntries(
    dependencies,
    { limit, cursor },
    {
      binding: ['search of operators', by, text, time, companyId],
      select: (after, rows) => foundPage({ ...search.value, companyId }, positionOf(after), rows),
    },
  );
}

/** Exactly one thing to search by; for a phone also the time, which is limited by rule and not by how long it takes. */
function searchOf(request: SearchRequest): Result<OperatorSearch> {
  const { shipmentNumber, externalReference, phoneTail, createdFrom: from, createdTo: to, companyId } = request;
  const given = [shipmentNumber, externalReference, phoneTail].filter((text) => text !== undefined);
  if (given.length !== 1)
    return wrong(
      given.length === 0 ? 'shipmentNumber' : 'phoneTail',
      given.length === 0 ? 'REQUIRED' : 'FORBIDDEN_FIELD',
    );
  if (shipmentNumber !== undefined) return ok({ by: 'shipmentNumber', text: numberOf(shipmentNumber) });
  if (externalReference !== undefined) {
    const text = readText(withoutUnseen(externalReference));
    return ok({ by: 'externalReference', text: JSON.stringify([externalReference, ...spellingsOf(text)]) });
  }
  if (phoneTail === undefined) throw new Error('A search by nothing passed the rules');
  if (from === undefined) return wrong('createdFrom', 'REQUIRED');
  if (to === undefined) return wrong('createdTo', 'REQUIRED');
  const seconds = companyId === undefined ? PHONE_SEARCH_SECONDS_MAX : PHONE_SEARCH_OF_COMPANY_SECONDS_MAX;
  if (to <= from || to > addSeconds(from, seconds))
    return wrong('createdTo', 'OUT_OF_RANGE', `at most ${seconds / 3600} hours after createdFrom`);
  return ok({ by: 'phoneTail', text: phoneTail, from, to });
}

/** A number as people type, paste or say it: in small letters, with marks of direction, in Arabic digits, without its prefix. */
function numberOf(typed: string): string {
  const text = readCode(withoutUnseen(typed));
  return text.startsWith(PREFIX) ? text : PREFIX + text;
}
const PREFIX = 'SHP-';

function wrong(field: string, code: 'REQUIRED' | 'FORBIDDEN_FIELD' | 'OUT_OF_RANGE', limit?: string): Result<never> {
  const violation = limit === undefined ? { field, code } : { field, code, limit };
  return refuse('INVALID_QUERY_PARAMETER', { violations: [violation] });
}

async function readEntries(
  { directory, shards, cursors }: OperatorListDependencies,
  request: PageRequest,
  list: Pick<MergedList<OperatorRow, OperatorRow>, 'binding' | 'select'>,
): Promise<Result<Page<OperatorShipment>>> {
  const databases = [...shards.values()].map(({ database }) => database);
  const page = await readMergedPage<OperatorRow, OperatorRow>({ databases, cursors }, request, {
    ...list,
    keyOf: ({ shipmentId }) => shipmentId,
    positionOf: ({ since, shipmentId }) => [String(since), shipmentId],
    compare: longestFirst,
    present: (row) => row,
  });
  if (!page.ok) return page;
  const names = await readNames(directory.database, page.value.data);
  if (names === undefined) return unavailable();
  return ok({ ...page.value, data: page.value.data.map((row) => presentEntry(row, names)) });
}

function longestFirst(left: OperatorRow, right: OperatorRow): number {
  if (left.since !== right.since) return left.since < right.since ? -1 : 1;
  return left.shipmentId < right.shipmentId ? -1 : 1;
}

async function readNames(directory: Database, rows: readonly OperatorRow[]): Promise<Map<Uuid, string> | undefined> {
  if (rows.length === 0) return new Map();
  const answer = await directory.read(companyNamesByIds([...new Set(rows.map(({ companyId }) => companyId))]));
  return answer.ok ? new Map(answer.rows.map(({ id, name }) => [id, name])) : undefined;
}

function presentEntry(row: OperatorRow, names: ReadonlyMap<Uuid, string>): OperatorShipment {
  const { driverId, firstName, onDuty, driverStatus, ...rest } = row;
  const hasDriver = driverId !== null && firstName !== null && driverStatus !== null;
  return {
    ...rest,
    companyName: names.get(row.companyId) ?? null,
    createdAt: formatInstant(row.createdAt),
    since: formatInstant(row.since),
    pickupWindowStart: formatInstant(row.pickupWindowStart),
    pickupWindowEnd: formatInstant(row.pickupWindowEnd),
    driver: hasDriver ? { driverId, firstName, onDuty: onDuty === 1, status: driverStatus } : null,
  };
}

interface DetailDependencies extends Pick<OperatorListDependencies, 'directory' | 'clock'> {
  /** The company's shard. */
  readonly database: Database;
  readonly writer: Writer;
}

/** One shipment with its recipient, for an operator. Nothing is shown before the audit has the operator's name. */
export async function readForOperator(
  dependencies: DetailDependencies,
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<OperatorShipmentDetail>> {
  const { database, directory } = dependencies;
  const reads = [
    shipmentById(scope, shipmentId),
    addressOf(scope, shipmentId),
    operatorEntry(scope, shipmentId),
  ] as const;
  const found = await database.readAll(reads);
  if (!found.ok) return unavailable();
  const [[shipment], [address], [entry]] = found.results;
  if (shipment === undefined || address === undefined || entry === undefined) return refuse('ACCESS_DENIED');
  const names = await readNames(directory.database, [entry]);
  if (names === undefined) return unavailable();
  const noted = await noteLook(dependencies, scope, shipmentId);
  if (!noted.ok) return noted;
  const { recipientName: name, recipientPhone: phone, alternateContactName, alternateContactPhone } = shipment;
  return ok({
    ...presentEntry(entry, names),
    shipment: presentShipment(shipment),
    nationalAddress: presentAddress(address),
    recipient: { name, phone, alternateContactName, alternateContactPhone },
  });
}

const HOUR_MS = 3_600_000;

/**
 * Writes the entry of this look, once an hour for each operator and shipment. Its id is made of these three, so that a
 * second entry is refused as a duplicate.
 */
export async function noteLook(
  dependencies: Omit<DetailDependencies, 'directory'>,
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<boolean>> {
  const { actor } = scope;
  if (actor === undefined) throw new Error('An operator without a name in the audit');
  const at = dependencies.clock.now();
  const hour = Math.floor(toMillis(at) / HOUR_MS);
  const id = await idOf(`${actor.personId ?? actor.clientId} ${shipmentId} ${hour}`);
  const known = await dependencies.database.read(auditById(scope, id));
  if (!known.ok) return unavailable();
  if (known.rows.length > 0) return ok(true);
  const audit: Audit = { id, scope, actor, action: 'shipment.recipient_viewed', subject: shipmentId, at, detail: {} };
  // Refused if another request of this operator was faster, so the entry is there.
  return commitChange(dependencies, { unit: { statements: [] }, audit });
}

/** A UUID of version 8, which applications make as they like (RFC 9562 section 5.8). */
async function idOf(text: string): Promise<Uuid> {
  const hex = toHex(await sha256(text));
  const id = parseUuid(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
  );
  if (id === undefined) throw new Error('Not a UUID');
  return id;
}
