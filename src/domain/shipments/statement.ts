import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { ShipmentPrices, Statement } from '../../contract/statement.ts';
import { formatInstant, type Instant } from '../../core/instant.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import { RIYADH } from '../../core/riyadh.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { type PageDependencies, type PageRequest, readSummedPage } from '../page.ts';
import { TARIFF_CURRENCY, withVat } from '../pricing/tariff.ts';
import { collectionTotals } from './collection-store.ts';
import { totalsOfCollections } from './read-collections.ts';
import {
  companyOfStatement,
  type LinePosition,
  pricesOf,
  type StatementRange,
  statementLines,
  statementRates,
  statementShipments,
} from './statement-store.ts';
import { rangeOfMonth, sumsOfRate, totalsOf } from './statement-sums.ts';

interface StatementDependencies extends PageDependencies {
  readonly directory: { readonly database: Database };
  /** The company's own, which its sandbox may have advanced. */
  readonly clock: CompanyClock;
}

type Sums = Pick<Statement, 'totals' | 'cod'> & {
  /** The end of what was summed, as text. */
  readonly to: string;
};

/**
 * A page of a month's statement, oldest first, with the totals of the month. The first page of a running month sums what is settled, and
 * the next pages end at the same instant, so that all of their lines add up to the totals.
 */
export async function readStatement(
  dependencies: StatementDependencies,
  scope: CompanyScope,
  { month, ...page }: PageRequest & { readonly month: string },
): Promise<Result<Statement>> {
  const { database, directory, clock } = dependencies;
  const range = rangeOfMonth(month, clock.now());
  if (range === undefined) {
    const violation = { field: 'month', code: 'OUT_OF_RANGE', limit: 'pastMonth' } as const;
    return refuse('INVALID_PATH_PARAMETER', { violations: [violation] });
  }
  const company = directory.database.read(companyOfStatement(scope));
  const listed = await readSummedPage(dependencies, page, {
    binding: ['statement', scope.companyId, month],
    sum: () => sum(database, scope, range),
    select: (after, limit, sums) => {
      const to = sums === undefined ? range.to : (BigInt(sums.to) as Instant);
      return statementLines(scope, { from: range.from, to }, after && positionIn(after), limit);
    },
    positionOf: ({ createdAt, shipmentId, number }) => [createdAt, shipmentId, number].map(String),
    present: ({ number: _number, createdAt, netAmount, vatRate, ...line }) => ({
      ...line,
      createdAt: formatInstant(createdAt),
      ...withVat(netAmount, vatRate),
      vatRate,
    }),
  });
  if (!listed.ok) return listed;
  const named = await company;
  const known = named.ok ? named.rows[0] : undefined;
  if (known === undefined) return unavailable();
  const { totals, cod } = listed.value.sums;
  return ok({
    month,
    currency: TARIFF_CURRENCY,
    timeZone: RIYADH,
    company: known,
    totals,
    cod,
    ...listed.value.page,
  });
}

/** Undefined if it cannot be read. */
async function sum(database: Database, scope: CompanyScope, range: StatementRange): Promise<Sums | undefined> {
  const read = await database.readAll([
    statementRates(scope, range),
    statementShipments(scope, range),
    collectionTotals(scope, range),
  ] as const);
  if (!read.ok) return undefined;
  const [rates, [counted], [collected]] = read.results;
  if (counted === undefined || collected === undefined) return undefined;
  const totals = { ...totalsOf(rates), shipments: counted.shipments };
  return { totals, cod: totalsOfCollections(collected), to: String(range.to) };
}

function positionIn([createdAt = '', shipmentId = '', number]: readonly string[]): LinePosition {
  return { createdAt: BigInt(createdAt) as Instant, shipmentId, number: Number(number) };
}

/** What each of these shipments costs. Those of other companies are left out. */
export async function readPrices(
  database: Database,
  scope: CompanyScope,
  shipmentIds: readonly Uuid[],
): Promise<Result<ShipmentPrices>> {
  const read = await database.read(pricesOf(scope, shipmentIds));
  if (!read.ok) return unavailable();
  const data = read.rows.map(({ shipmentId, currency, ...rate }) => ({ shipmentId, currency, ...sumsOfRate(rate) }));
  return ok({ data });
}
