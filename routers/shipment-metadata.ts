import { MEMBER } from '../src/access/require.ts';
import { metadataRequest } from '../src/contract/metadata-request.ts';
import { shipmentMetadata as schema } from '../src/contract/shipment-metadata.ts';
import { uuid } from '../src/contract/values.ts';
import { METADATA_KEYS_MAX } from '../src/core/limits.ts';
import { etagOf } from '../src/core/precondition.ts';
import { orThrow } from '../src/core/problem.ts';
import { readMetadata, replaceMetadata } from '../src/domain/shipments/metadata.ts';
import { ifMatch } from './headers.ts';
import { merchantProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

const PATH = '/v2/external/shipments/{shipmentId}/metadata';
const tags = ['Shipments'];

export const shipmentMetadata = router({
  get: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: PATH,
        tags,
        summary: 'Read the metadata of a shipment',
        description: 'Empty, with version 0, until it is set. Deleted when the recipient is forgotten.',
      },
    })
    .input(request({ path: { shipmentId: uuid } }))
    .output(answer(schema))
    .query(async ({ ctx: { store, company, reply }, input }) => {
      const { isForgotten, ...found } = orThrow(await readMetadata(store.database, company, input.shipmentId));
      reply.headers['etag'] = etagOf(found.version);
      reply.isTagStale = isForgotten;
      return found;
    }),

  replace: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'PUT',
        path: PATH,
        tags,
        summary: 'Replace the metadata of a shipment',
        description: `Up to ${METADATA_KEYS_MAX} texts of your own. The request replaces all of them; \`{}\` removes them. If-Match takes the version of the metadata, not of the shipment, whose version and state do not change. Later events of the shipment have the metadata in \`data.metadata\`, and lists find a shipment by an entry. The same metadata again changes nothing and gets 200, whatever If-Match says. Works in every state, until the recipient is forgotten: then 409.`,
      },
      problems: ['SHIPMENT_TERMINAL', 'PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
    })
    .input(request({ path: { shipmentId: uuid }, header: { ifMatch }, body: metadataRequest }))
    .output(answer(schema))
    .mutation(async ({ ctx: { services, store, company, reply }, input }) => {
      const { shipmentId, ifMatch: precondition, metadata } = input;
      const order = { shipmentId, precondition, metadata };
      const replaced = orThrow(await replaceMetadata({ ...services, ...store }, company, order));
      reply.headers['etag'] = etagOf(replaced.version);
      return replaced;
    }),
});
