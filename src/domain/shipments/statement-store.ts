import { eq, sql } from 'drizzle-orm';
import { companies } from '../../../db/directory/schema/companies.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { laterCharges, shipmentTerms } from '../../../db/shard/schema/terms.ts';
import { placeholder, queries, read } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { halalasOf } from '../pricing/halalas.ts';

/*
 * The SQL of a month's statement. A line stands in the month of its own instant. The frozen lines of a shipment have that of its
 * terms, and come before the later ones.
 */

/** The instants of a statement: `from` inclusive, `to` exclusive. */
export interface StatementRange {
  readonly from: Instant;
  readonly to: Instant;
}

/** The last line of a page. */
export interface LinePosition {
  readonly createdAt: Instant;
  readonly shipmentId: string;
  readonly number: number;
}

/** Frozen lines have no number of their own: they have those below the later ones. */
const FROZEN_BELOW = sql.raw('1000');
const [company, from, to] = [placeholder('companyId'), placeholder('from'), placeholder('to')];
const [shipmentId, number, limit] = [placeholder('shipmentId'), placeholder('number'), placeholder('limit')];

const lineColumns = {
  shipmentId: laterCharges.shipmentId,
  shipmentNumber: shipments.shipmentNumber,
  externalReference: shipments.externalReference,
  code: laterCharges.code,
  createdAt: laterCharges.createdAt,
  netAmount: laterCharges.amount,
  vatRate: shipmentTerms.vatRate,
  number: laterCharges.number,
};
/** Each side stops after as many shipments, or lines, as a page can need. The shipment of the position may have more lines. */
const frozenLines = sql`select frozen.shipment_id, frozen.created_at, line.key - ${FROZEN_BELOW} as number, line.value ->> 'code' as code, line.value ->> 'amount' as amount, frozen.vat_rate
  from (select ${shipmentTerms.shipmentId}, ${shipmentTerms.createdAt}, ${shipmentTerms.vatRate}, ${shipmentTerms.lines} from ${shipmentTerms}
    where ${shipmentTerms.companyId} = ${company} and ${shipmentTerms.createdAt} >= ${from} and ${shipmentTerms.createdAt} < ${to}
      and (${shipmentTerms.createdAt}, ${shipmentTerms.shipmentId}) >= (${from}, ${shipmentId})
    order by ${shipmentTerms.createdAt}, ${shipmentTerms.shipmentId} limit ${limit} + 1) as frozen
  cross join json_each(frozen.lines) as line`;
const laterLines = sql`select later.*, ${shipmentTerms.vatRate}
  from (select ${laterCharges.shipmentId}, ${laterCharges.createdAt}, ${laterCharges.number}, ${laterCharges.code}, ${laterCharges.amount} from ${laterCharges}
    where ${laterCharges.companyId} = ${company} and ${laterCharges.createdAt} >= ${from} and ${laterCharges.createdAt} < ${to}
      and (${laterCharges.createdAt}, ${laterCharges.shipmentId}, ${laterCharges.number}) > (${from}, ${shipmentId}, ${number})
    order by ${laterCharges.createdAt}, ${laterCharges.shipmentId}, ${laterCharges.number} limit ${limit}) as later
  cross join ${shipmentTerms} on ${shipmentTerms.shipmentId} = later.shipment_id`;
const selectLines = read(lineColumns, () =>
  queries
    .select({
      shipmentId: sql`lines.shipment_id`.as('shipment_id'),
      shipmentNumber: shipments.shipmentNumber,
      externalReference: shipments.externalReference,
      code: sql`lines.code`.as('code'),
      createdAt: sql`lines.created_at`.as('created_at'),
      netAmount: sql`lines.amount`.as('amount'),
      vatRate: sql`lines.vat_rate`.as('vat_rate'),
      number: sql`lines.number`.as('number'),
    })
    .from(
      sql`(select * from (${frozenLines} union all ${laterLines})
        where (created_at, shipment_id, number) > (${from}, ${shipmentId}, ${number})
        order by created_at, shipment_id, number limit ${limit}) as lines`,
    )
    .innerJoin(shipments, sql`${shipments.id} = lines.shipment_id`)
    .orderBy(sql`lines.created_at`, sql`lines.shipment_id`, sql`lines.number`),
);
/** Lines of the company in a range, oldest first, after a position. */
export function statementLines(
  scope: CompanyScope,
  range: StatementRange,
  after: LinePosition | undefined,
  limit: number,
) {
  const start = after ?? { createdAt: range.from, shipmentId: '', number: 0 };
  const { createdAt, ...rest } = start;
  return selectLines({ companyId: scope.companyId, from: createdAt, to: range.to, ...rest, limit });
}

const rateColumns = { vatRate: shipmentTerms.vatRate, halalas: laterCharges.amount };
const ofMonth = (table: typeof shipmentTerms | typeof laterCharges) =>
  sql`${table.companyId} = ${company} and ${table.createdAt} >= ${from} and ${table.createdAt} < ${to}`;
const selectRates = read(rateColumns, () =>
  queries
    .select({
      vatRate: sql`lines.vat_rate`.as('vat_rate'),
      // As text: a sum may exceed the numbers that are exact in JSON.
      halalas: sql`cast(sum(${halalasOf(sql`lines.amount`)}) as text)`.as('halalas'),
    })
    .from(
      sql`(select ${shipmentTerms.vatRate}, line.value ->> 'amount' as amount from ${shipmentTerms} cross join json_each(${shipmentTerms.lines}) as line where ${ofMonth(shipmentTerms)}
        union all
        select ${shipmentTerms.vatRate}, ${laterCharges.amount} from ${laterCharges} cross join ${shipmentTerms} on ${shipmentTerms.shipmentId} = ${laterCharges.shipmentId} where ${ofMonth(laterCharges)}) as lines`,
    )
    .groupBy(sql`lines.vat_rate`),
);
/** The sum of the lines of a range for each rate of VAT, in halalas. */
export function statementRates(scope: CompanyScope, { from, to }: StatementRange) {
  return selectRates({ companyId: scope.companyId, from, to });
}

const isInRange = (createdAt: string) => sql`${sql.raw(createdAt)} >= ${from} and ${sql.raw(createdAt)} < ${to}`;
const selectShipments = read({ shipments: laterCharges.number }, () =>
  queries.select({ shipments: sql`created.shipments + later.shipments`.as('shipments') }).from(
    sql`(select count(*) as shipments from ${shipmentTerms} as t where t.company_id = ${company} and ${isInRange('t.created_at')}) as created
        cross join (select count(distinct l.shipment_id) as shipments from ${laterCharges} as l cross join ${shipmentTerms} as t on t.shipment_id = l.shipment_id
          where l.company_id = ${company} and ${isInRange('l.created_at')} and not (${isInRange('t.created_at')})) as later`,
  ),
);
/** How many shipments have a line in a range. */
export function statementShipments(scope: CompanyScope, { from, to }: StatementRange) {
  return selectShipments({ companyId: scope.companyId, from, to });
}

const selectPriced = read(
  {
    shipmentId: shipmentTerms.shipmentId,
    currency: shipmentTerms.currency,
    vatRate: shipmentTerms.vatRate,
    halalas: laterCharges.amount,
  },
  () => {
    const sumOf = (lines: ReturnType<typeof sql>) =>
      sql`coalesce((select sum(${halalasOf(sql`amount`)}) from (${lines})), 0)`;
    const frozen = sql`select value ->> 'amount' as amount from json_each(${shipmentTerms.lines})`;
    const later = sql`select ${laterCharges.amount} as amount from ${laterCharges} where ${laterCharges.shipmentId} = ${shipmentTerms.shipmentId}`;
    return queries
      .select({
        shipmentId: shipmentTerms.shipmentId,
        currency: shipmentTerms.currency,
        vatRate: shipmentTerms.vatRate,
        halalas: sql`cast(${sumOf(frozen)} + ${sumOf(later)} as text)`.as('halalas'),
      })
      .from(shipmentTerms)
      .where(
        sql`${shipmentTerms.shipmentId} in (select value from json_each(${placeholder('ids')})) and +${shipmentTerms.companyId} = ${company}`,
      );
  },
);
/** The sum of all lines of each of these shipments, in halalas. */
export function pricesOf(scope: CompanyScope, shipmentIds: readonly Uuid[]) {
  return selectPriced({ companyId: scope.companyId, ids: JSON.stringify(shipmentIds) });
}

const selectCompany = read({ name: companies.name, vatNumber: companies.vatNumber }, (columns) =>
  queries.select(columns).from(companies).where(eq(companies.id, company)),
);
/** The company as its statement names it. */
export function companyOfStatement(scope: CompanyScope) {
  return selectCompany({ companyId: scope.companyId });
}
