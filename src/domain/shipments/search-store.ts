import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { shipmentMetadata } from '../../../db/shard/schema/shipment-metadata.ts';
import { shipments, stageOf, WITH_DRIVER } from '../../../db/shard/schema/shipments.ts';
import { placeholder, queries, read, variants } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { MetadataEntry } from '../../contract/shipment-metadata.ts';
import type { ShipmentState } from '../../contract/shipment-state.ts';
import type { Instant } from '../../core/instant.ts';
import { FORGOTTEN_PHONE } from '../../core/phone.ts';
import { isGateClosed } from '../addresses/gate-store.ts';
import type { Position } from '../page.ts';
import { shipmentColumns } from './store.ts';

/*
 * The SQL of filtered lists. Each walks one index, and reads the rows of its entries only as far as needed for a page. The
 * caller has counted the entries before if many rows may be no match. A plus before a column keeps SQLite from using an
 * index for it.
 */

const ofCompany = eq(shipments.companyId, placeholder('companyId'));
const newestFirst = [desc(shipments.createdAt), desc(shipments.id)];

/** From the first to the last in the order of bytes, both included. */
export type TextRange = readonly [first: string, last: string];

/** How many spellings of a text may begin a reference. */
const SPELLINGS_MAX = 4;

/** What a shipment must have of these: one of them is enough. */
export interface SearchTerms {
  /** Beginnings of references, none of them twice. */
  readonly references: readonly TextRange[];
  readonly shipmentNumbers: TextRange | null;
  readonly referenceTail: string | null;
  /** A GLOB pattern for references with these digits behind a letter or a separator. */
  readonly referencePart: string | null;
  readonly phoneTail: string | null;
  /** GLOB patterns, of which the name must match all; null: names are not searched. */
  readonly namePatterns: readonly string[] | null;
}

/** A list of shipments by an index, with the conditions on their rows. */
export interface ShipmentWalk {
  /** The index: all shipments by time, those of some states or with an entry of metadata by time, or references and numbers. */
  readonly by: 'time' | 'states' | 'metadata' | 'references';
  readonly createdFrom: Instant;
  readonly createdTo: Instant;
  readonly states: readonly ShipmentState[];
  readonly references: readonly TextRange[];
  readonly shipmentNumbers: TextRange | null;
  readonly metadata?: MetadataEntry | undefined;
  readonly rows: {
    /** Whether they have the entry of metadata, if no index of entries is walked. */
    readonly metadata?: true | undefined;
    readonly branchCode?: string | undefined;
    readonly cityCode?: string | undefined;
    readonly paymentMethod?: string | undefined;
    /** Whether their National Address keeps them from drivers. */
    readonly address?: true | undefined;
    readonly kind?: string | undefined;
    readonly terms?: SearchTerms | undefined;
  };
}

/** The number of words of a name, and of their patterns in a statement. */
export const WORDS_MAX = 5;
const patterns = Array.from({ length: WORDS_MAX }, (_, index) => `pattern${index}`);
/** The folded name, with and without the Arabic article of its words, because people often omit it. */
const names = sql`(' ' || recipient_folded_name || replace(' ' || recipient_folded_name, ' ال', ' '))`;
const isNamed = sql.join(
  patterns.map((pattern) => sql`${names} glob ${placeholder(pattern)}`),
  sql` and `,
);
const spellings = Array.from({ length: SPELLINGS_MAX }, (_, index) => index);
const begins = sql.join(
  spellings.map(
    (index) =>
      sql`+external_reference between ${placeholder(`firstTerm${index}`)} and ${placeholder(`lastTerm${index}`)}`,
  ),
  sql` or `,
);
/** A forgotten recipient has four digits instead of a phone, and is not found by them or by a name. */
const hasTerms = sql`(${begins}
  or +shipment_number between ${placeholder('firstNumberTerm')} and ${placeholder('lastNumberTerm')}
  or substr(external_reference, -4) = ${placeholder('referenceTail')}
  or external_reference glob ${placeholder('referencePart')}
  or (recipient_phone <> ${sql.raw(`'${FORGOTTEN_PHONE}'`)}
    and (substr(recipient_phone, -4) = ${placeholder('phoneTail')} or (${isNamed}))))`;
const isEntry = and(
  eq(shipmentMetadata.key, placeholder('metadataKey')),
  eq(shipmentMetadata.value, placeholder('metadataValue')),
);
const ROW_CONDITIONS: Readonly<Record<keyof ShipmentWalk['rows'], SQL>> = {
  branchCode: eq(shipments.branchCode, placeholder('branchCode')),
  cityCode: sql`json_extract(${shipments.destination}, '$.cityCode') = ${placeholder('cityCode')}`,
  paymentMethod: eq(shipments.paymentMethod, placeholder('paymentMethod')),
  address: sql`(${isGateClosed} and ${shipments.endedAt} is null and ${shipments.stage} <> ${sql.raw(`'${WITH_DRIVER}'`)})`,
  metadata: sql`exists (select 1 from ${shipmentMetadata} where ${and(eq(shipmentMetadata.shipmentId, shipments.id), isEntry)})`,
  kind: sql`coalesce((select kind from follow_ups where shipment_id = ${shipments.id}), 'FORWARD') = ${placeholder('kind')}`,
  terms: hasTerms,
};

const inReferences = sql.join(
  spellings.map(
    (index) => sql`select rowid from shipments where company_id = ${placeholder('companyId')}
      and external_reference between ${placeholder(`firstReference${index}`)} and ${placeholder(`lastReference${index}`)}`,
  ),
  sql` union all `,
);
const withNumbers = sql`select rowid from shipments where company_id = ${placeholder('companyId')}
  and shipment_number between ${placeholder('firstNumber')} and ${placeholder('lastNumber')}`;
const inReferencesOrNumbers = sql`${inReferences} union all ${withNumbers}`;

const isOfStates = sql`${shipments.state} in (select value from json_each(${placeholder('states')}))`;
const isOfStages = sql`${shipments.stage} in (select value from json_each(${placeholder('stages')}))`;
/** Needs no row of a stage that has one state. */
const isOfStatesInStage = sql`(${shipments.stage} <> ${sql.raw(`'${WITH_DRIVER}'`)} or +${isOfStates})`;

/** Shipments, or entries of their metadata, which have the time and the id of their shipment. */
const SHIPMENTS = { createdAt: shipments.createdAt, id: shipments.id };
const ENTRIES = { createdAt: shipmentMetadata.createdAt, id: shipmentMetadata.shipmentId };

function isInTime(hasPosition: boolean, { createdAt, id }: typeof SHIPMENTS | typeof ENTRIES = SHIPMENTS) {
  const isBefore = hasPosition
    ? sql`(${createdAt}, ${id}) < (${placeholder('at')}, ${placeholder('key')})`
    : lt(createdAt, placeholder('createdTo'));
  return and(gte(createdAt, placeholder('createdFrom')), isBefore);
}

/** The newest shipments with an entry, in the order of the list. All if rows are then chosen. */
function withEntry(isPage: boolean, hasPosition: boolean): SQL {
  const all = queries
    .select({ id: ENTRIES.id })
    .from(shipmentMetadata)
    .where(and(eq(shipmentMetadata.companyId, placeholder('companyId')), isEntry, isInTime(hasPosition, ENTRIES)));
  const newest = all.orderBy(desc(ENTRIES.createdAt), desc(ENTRIES.id)).limit(placeholder('limit'));
  return sql`select shipment_id from (${isPage ? newest : all})`;
}

/** The newest of one stage: each stage has its part of the index, in the order of the list. All if rows are then chosen. */
function ofStage(index: number, isPage: boolean, hasPosition: boolean): SQL {
  const all = queries
    .select({ rowid: sql`rowid` })
    .from(shipments)
    .where(and(ofCompany, eq(shipments.stage, placeholder(`stage${index}`)), isInTime(hasPosition), isOfStatesInStage));
  return sql`select rowid from (${isPage ? all.orderBy(...newestFirst).limit(placeholder('limit')) : all})`;
}

const selectPage = variants(
  (by: ShipmentWalk['by'], stageCount: string, conditions: readonly string[], hasPosition: boolean) => {
    const stages = Array.from({ length: Number(stageCount) }, (_, index) => index);
    const ofStages = sql.join(
      stages.map((index) => ofStage(index, conditions.length === 0, hasPosition)),
      sql` union all `,
    );
    const walked = {
      time: ofCompany,
      states: sql`${shipments}.rowid in (${ofStages})`,
      metadata: sql`${shipments.id} in (${withEntry(conditions.length === 0 && stages.length === 0, hasPosition)})`,
      references: sql`${shipments}.rowid in (${inReferencesOrNumbers})`,
    }[by];
    const wanted = Object.entries(ROW_CONDITIONS).flatMap(([name, is]) => (conditions.includes(name) ? [is] : []));
    if (by !== 'states' && stages.length > 0) wanted.push(sql`+${isOfStates}`);
    return read(shipmentColumns, (columns) =>
      queries
        .select(columns)
        .from(shipments)
        .where(and(walked, isInTime(hasPosition), ...wanted))
        .orderBy(...newestFirst)
        .limit(placeholder('limit')),
    );
  },
);

/** A page of the shipments that a walk finds, newest first. */
export function walkedPage(scope: CompanyScope, walk: ShipmentWalk, after: Position | undefined, limit: number) {
  const { by, states, rows } = walk;
  const { branchCode = null, cityCode = null, paymentMethod = null, kind = null, terms } = rows;
  const conditions = Object.entries(rows).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const stages = stagesOf(walk);
  const select = selectPage(by, String(stages.length), conditions, after !== undefined);
  return select({
    ...rangesOf(scope, walk),
    ...Object.fromEntries(stages.map((stage, index) => [`stage${index}`, stage])),
    states: JSON.stringify(states),
    ...entryOf(walk),
    ...placesOf('Term', terms?.references ?? []),
    firstNumberTerm: terms?.shipmentNumbers?.[0] ?? null,
    lastNumberTerm: terms?.shipmentNumbers?.[1] ?? null,
    referenceTail: terms?.referenceTail ?? null,
    referencePart: terms?.referencePart ?? null,
    phoneTail: terms?.phoneTail ?? null,
    ...Object.fromEntries(patterns.map((pattern, index) => [pattern, patternAt(terms, index)])),
    branchCode,
    kind,
    cityCode,
    paymentMethod,
    at: after?.createdAt ?? null,
    key: after?.key ?? null,
    limit,
  });
}

function stagesOf({ states }: Pick<ShipmentWalk, 'states'>) {
  return [...new Set(states.map(stageOf))];
}

/** Every name matches the patterns that are left over, and none matches null. */
function patternAt(terms: SearchTerms | undefined, index: number): string | null {
  return terms?.namePatterns == null ? null : (terms.namePatterns[index] ?? '*');
}

function rangesOf(scope: CompanyScope, { createdFrom, createdTo, references, shipmentNumbers }: ShipmentWalk) {
  const [firstNumber, lastNumber] = shipmentNumbers ?? [null, null];
  const companyId = scope.companyId;
  return { companyId, createdFrom, createdTo, ...placesOf('Reference', references), firstNumber, lastNumber };
}

/** The first and the last of each range. Nothing is between the nulls that are left over. */
function placesOf(name: string, ranges: readonly TextRange[]): Readonly<Record<string, string | null>> {
  const places = spellings.flatMap((index) => {
    const [first, last] = ranges[index] ?? [null, null];
    return [
      [`first${name}${index}`, first],
      [`last${name}${index}`, last],
    ] as const;
  });
  return Object.fromEntries(places);
}

function entryOf({ metadata }: ShipmentWalk) {
  return { metadataKey: metadata?.key ?? null, metadataValue: metadata?.value ?? null };
}

// `count` only gives the right column type.
const countColumns = { count: shipments.version };
const selectSize = variants((by: ShipmentWalk['by']) =>
  read(countColumns, () => {
    const entries = {
      time: sql`select 1 from ${shipments} where ${and(ofCompany, isInTime(false))}`,
      states: sql`select 1 from ${shipments} where ${and(ofCompany, isOfStages, isInTime(false))}`,
      metadata: sql`select 1 from ${shipmentMetadata} where ${and(eq(shipmentMetadata.companyId, placeholder('companyId')), isEntry, isInTime(false, ENTRIES))}`,
      references: inReferencesOrNumbers,
    }[by];
    return queries.select({ count: sql`count(*)`.as('count') }).from(sql`(${entries} limit ${placeholder('limit')})`);
  }),
);
/** How many rows a walk reads at most, counted up to `limit`. */
export function walkSize(scope: CompanyScope, walk: ShipmentWalk, limit: number) {
  return selectSize(walk.by)({
    ...rangesOf(scope, walk),
    ...entryOf(walk),
    stages: JSON.stringify(stagesOf(walk)),
    limit,
  });
}
