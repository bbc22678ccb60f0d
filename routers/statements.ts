import { MEMBER } from '../src/access/require.ts';
import { pageRequest } from '../src/contract/page.ts';
import { pricesRequest, shipmentPrices, statement, statementMonth } from '../src/contract/statement.ts';
import { orThrow } from '../src/core/problem.ts';
import { readPrices, readStatement } from '../src/domain/shipments/statement.ts';
import { merchantProcedure, personProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

/** What a company owes for a month. */
export const statements = router({
  get: merchantProcedure('finance:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: '/v2/external/statements/{month}',
        tags: ['Prices'],
        summary: 'Read the statement of a month, oldest line first',
        description:
          'A statement, not a tax invoice. A line stands in the month of its own `createdAt` in Riyadh time, so a cancellation in December of a shipment of November is a line of December, and a month that is over does not change. A running month has the lines until ten seconds before its first page was read; the same holds for the first seconds after its end. A month that has not begun is 400. The scope `finance:read` is not among those of a new credential: an owner grants it.',
      },
      problems: ['INVALID_CURSOR', 'LIMIT_OUT_OF_RANGE'],
    })
    .input(request({ path: { month: statementMonth }, query: pageRequest }))
    .output(answer(statement))
    .query(async ({ ctx, input }) =>
      orThrow(await readStatement({ ...ctx.services, ...ctx.store }, ctx.company, input)),
    ),

  /** What many shipments cost, for the files that the console saves. */
  prices: personProcedure('reads', MEMBER)
    .input(request({ body: pricesRequest }))
    .output(answer(shipmentPrices))
    .query(async ({ ctx, input }) => orThrow(await readPrices(ctx.store.database, ctx.company, input.shipmentIds))),
});
