import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { CodCollections, CodOfShipment } from '../../contract/cod-collection.ts';
import { COLLECTION_DAYS_MAX } from '../../contract/cod-state.ts';
import { addDecimals, decimalFromNumber, literalDecimal, multiplyDecimals } from '../../core/decimal.ts';
import { addSeconds, formatInstant } from '../../core/instant.ts';
import { ok, type Result, refuse, type Violation } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type PageDependencies, type PageRequest, positionOf, readSummedPage } from '../page.ts';
import { readRow } from '../rows.ts';
import {
  type CollectionRange,
  type CollectionSums,
  codOf,
  collectionPage,
  collectionTotals,
} from './collection-store.ts';

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

/** A page of what drivers collected for a company in a range, newest first, with the totals of the whole range. */
export async function listCollections(
  dependencies: PageDependencies,
  scope: CompanyScope,
  { from, to, ...page }: CollectionRange & PageRequest,
): Promise<Result<CodCollections>> {
  const fault = rangeFault({ from, to });
  if (fault !== undefined) return refuse('INVALID_QUERY_PARAMETER', { violations: [fault] });
  const range = { from, to };
  const listed = await readSummedPage(dependencies, page, {
    binding: ['cod-collections', scope.companyId, String(from), String(to)],
    sum: async () => {
      const read = await dependencies.database.read(collectionTotals(scope, range));
      return read.ok ? read.rows.map(totalsOfCollections)[0] : undefined;
    },
    select: (after, limit) => collectionPage(scope, range, positionOf(after), limit),
    positionOf: ({ collectedAt, shipmentId }) => [String(collectedAt), shipmentId],
    present: ({ collectedAt, ...row }) => ({ ...row, collectedAt: formatInstant(collectedAt) }),
  });
  return listed.ok ? ok({ ...listed.value.page, totals: listed.value.sums }) : listed;
}

/** How much drivers collected, from the whole numbers of `collectionTotals`. */
export function totalsOfCollections({ shipments, billions, units, parts }: CollectionSums): CodCollections['totals'] {
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
