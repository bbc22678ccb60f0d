import { MEMBER } from '../src/access/require.ts';
import { waybills as content, labelRequest, shipmentIds } from '../src/contract/shipment.ts';
import { LABELS_MAX } from '../src/core/limits.ts';
import { Problem } from '../src/core/problem.ts';
import { refuse } from '../src/core/result.ts';
import { parseUuid, type Uuid } from '../src/core/uuid.ts';
import { LABEL_TEXT, readLabels } from './labels.ts';
import { companyProcedure, router } from './procedure.ts';
import { printable, request } from './request.ts';

export const waybills = router({
  print: companyProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: '/v2/external/waybills',
        tags: ['Shipments'],
        summary: 'Print the labels of several shipments',
        description: `At most ${LABELS_MAX} labels, in the order of \`shipmentIds\`: ids with commas between them. If one of the shipments is not the company's, no label is printed. ${LABEL_TEXT}`,
      },
    })
    .input(request({ query: { shipmentIds, ...labelRequest } }))
    .output(printable(content))
    .query(async ({ ctx, input: { shipmentIds: list, ...choices } }) => {
      const printed = await readLabels(ctx, idsOf(list), choices);
      const count =
        printed.labels === 'item'
          ? printed.shipments.reduce((sum, { items }) => sum + items.length, 0)
          : printed.shipments.length;
      if (count > LABELS_MAX) throw tooMany();
      return printed;
    }),
});

/** The ids in a list with commas, which the schema has checked. */
export function idsOf(list: string): Uuid[] {
  return list.split(',').flatMap((text) => parseUuid(text) ?? []);
}

function tooMany(): Problem {
  const violation = { field: 'labels', code: 'TOO_MANY_ITEMS', limit: String(LABELS_MAX) } as const;
  return new Problem(refuse('INVALID_QUERY_PARAMETER', { violations: [violation] }));
}
