import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { ShipmentPrices, Statement } from '../../contract/statement.ts';
import { literalDecimal } from '../../core/decimal.ts';
import { formatInstant, type Instant } from '../../core/instant.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import { RIYADH } from '../../core/riyadh.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { type PageDependencies, type PageRequest, readPage } from '../page.ts';
import { TARIFF_CURRENCY, withVat } from '../pricing/tariff.ts';
import { sumOfCollections } from './read-collections.ts';
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

type Sums = Pick<Statement, 'totals' | 'cod'>;

/**
 * A page of a month's statement, oldest first, with the totals of the month. The first page of a running month sums what is settled;
 * the cursor has the sums and that instant for the next pages, so that all of their lines add up to the totals, too.
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
  let summed: Promise<Sums | undefined> | undefined =
    page.cursor === undefined ? sum(database, scope, range) : undefined;
  let { to } = range;
  const listed = await readPage(dependencies, page, {
    binding: ['statement', scope.companyId, month],
    select: (after, limit) => {
      const kept = after === undefined ? undefined : fromCursor(after);
      if (kept !== undefined) {
        summed = Promise.resolve(kept.sums);
        to = kept.to;
      }
      return statementLines(scope, { from: range.from, to }, kept?.position, limit);
    },
    positionOf: async (line) => toCursor(line, to, await summed),
    present: ({ number: _number, createdAt, netAmount, vatRate, ...line }) => ({
      ...line,
      createdAt: formatInstant(createdAt),
      ...withVat(netAmount, vatRate),
      vatRate,
    }),
  });
  const [sums, named] = await Promise.all([summed, company]);
  if (!listed.ok) return listed;
  const known = named.ok ? named.rows[0] : undefined;
  if (sums === undefined || known === undefined) return unavailable();
  return ok({ month, currency: TARIFF_CURRENCY, timeZone: RIYADH, company: known, ...sums, ...listed.value });
}

/** Undefined if it cannot be read. */
async function sum(database: Database, scope: CompanyScope, range: StatementRange): Promise<Sums | undefined> {
  const [lines, cod] = await Promise.all([
    database.readAll([statementRates(scope, range), statementShipments(scope, range)] as const),
    sumOfCollections(database, scope, range),
  ]);
  if (!lines.ok || cod === undefined) return undefined;
  const [rates, [counted]] = lines.results;
  return { totals: { ...totalsOf(rates), shipments: counted?.shipments ?? 0 }, cod };
}

function toCursor({ createdAt, shipmentId, number }: LinePosition, to: Instant, sums: Sums | undefined): string[] {
  // Without sums the answer is 503, and nobody gets the cursor.
  const { netAmount, vatAmount, totalAmount, shipments } = sums?.totals ?? {};
  const place = [createdAt, shipmentId, number, to];
  const kept = [netAmount, vatAmount, totalAmount, shipments, sums?.cod.amount, sums?.cod.shipments];
  return [...place, ...kept].map(String);
}

function fromCursor(content: readonly string[]) {
  const [createdAt = '', shipmentId = '', number, to = '', ...sums] = content;
  const [netAmount = '', vatAmount = '', totalAmount = '', shipments, amount = '', collections] = sums;
  const position: LinePosition = { createdAt: BigInt(createdAt) as Instant, shipmentId, number: Number(number) };
  return {
    position,
    to: BigInt(to) as Instant,
    sums: {
      totals: {
        netAmount: literalDecimal(netAmount),
        vatAmount: literalDecimal(vatAmount),
        totalAmount: literalDecimal(totalAmount),
        shipments: Number(shipments),
      },
      cod: { amount: literalDecimal(amount), shipments: Number(collections) },
    },
  };
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
