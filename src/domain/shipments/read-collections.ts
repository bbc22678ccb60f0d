import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { CodCollections, CodOfShipment } from '../../contract/cod-collection.ts';
import { COLLECTION_DAYS_MAX } from '../../contract/cod-state.ts';
import { addDecimals, decimalFromNumber, literalDecimal, multiplyDecimals } from '../../core/decimal.ts';
import { addSeconds, formatInstant } from '../../core/instant.ts';
import { ok, type Result, refuse, unavailable, type Violation } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type PageDependencies, type PageRequest, positionOf, readPage } from '../page.ts';
import { readRow } from '../rows.ts';
import { type CollectionRange, codOf, collectionPage, collectionTotals } from './collection-store.ts';

/** The amount to collect of a shipment, and what became of it. */
export async function readCod(
  database: Database,
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<CodOfShipment>> {
  const found = await readRow(database, codOf(scope, shipmentId), 'ACCESS_DENIED');
  if (!found.ok) return found;
  const { currency, codAmount, amount, method, reference, collectedAt } = found.value;
  return ok({
    currency,
    expectedAmount: codAmount,
    collectedAmount: amount,
    method,
    reference,
    collectedAt: collectedAt && formatInstant(collectedAt),
    holder: amount === null ? 'NOBODY' : 'DRIVER',
  });
}

/**
 * A page of what drivers collected for a company in a range, newest first, with the totals of the whole range. The first page sums them; the
 * cursor has them for the next pages, which would otherwise read the whole range each.
 */
export async function listCollections(
  dependencies: PageDependencies,
  scope: CompanyScope,
  { from, to, ...page }: CollectionRange & PageRequest,
): Promise<Result<CodCollections>> {
  const fault = rangeFault({ from, to });
  if (fault !== undefined) return refuse('INVALID_QUERY_PARAMETER', { violations: [fault] });
  const range = { from, to };
  let summed = page.cursor === undefined ? sumOfCollections(dependencies.database, scope, range) : undefined;
  const listed = await readPage(dependencies, page, {
    binding: ['cod-collections', scope.companyId, String(from), String(to)],
    select: (after, limit) => {
      const [, , amount = '', shipments] = after ?? [];
      summed ??= Promise.resolve({ amount: literalDecimal(amount), shipments: Number(shipments) });
      return collectionPage(scope, range, positionOf(after), limit);
    },
    positionOf: async ({ collectedAt, shipmentId }) => {
      const totals = await summed;
      return [String(collectedAt), shipmentId, String(totals?.amount), String(totals?.shipments)];
    },
    present: ({ collectedAt, ...row }) => ({ ...row, collectedAt: formatInstant(collectedAt) }),
  });
  if (!listed.ok) return listed;
  const totals = await summed;
  return totals === undefined ? unavailable() : ok({ ...listed.value, totals });
}

/** How much drivers collected in a range. Undefined if it cannot be read. */
export async function sumOfCollections(
  database: Database,
  scope: CompanyScope,
  range: CollectionRange,
): Promise<CodCollections['totals'] | undefined> {
  const read = await database.read(collectionTotals(scope, range));
  const sums = read.ok ? read.rows[0] : undefined;
  if (sums === undefined) return undefined;
  const { shipments, billions, units, parts } = sums;
  const amount = addDecimals(
    multiplyDecimals(exact(billions), literalDecimal('1000000000')),
    addDecimals(exact(units), multiplyDecimals(exact(parts), literalDecimal('0.0001'))),
  );
  return { amount, shipments };
}

function rangeFault({ from, to }: CollectionRange): Violation | undefined {
  if (to <= from) return { field: 'to', code: 'OUT_OF_RANGE', limit: 'later than from' };
  if (to > addSeconds(from, COLLECTION_DAYS_MAX * 24 * 3600))
    return { field: 'to', code: 'OUT_OF_RANGE', limit: `at most ${COLLECTION_DAYS_MAX} days after from` };
  return undefined;
}

/** A sum that the database has made of whole numbers. */
function exact(sum: number) {
  const decimal = decimalFromNumber(sum);
  if (decimal === undefined) throw new Error(`${sum} is no sum`);
  return decimal;
}
