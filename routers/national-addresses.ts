import { MEMBER } from '../src/access/require.ts';
import {
  addressLookUp,
  addressSuggestions,
  lookUpRequest,
  nationalAddress,
  nationalAddressRequest,
  suggestionRequest,
} from '../src/contract/national-address.ts';
import { uuid } from '../src/contract/values.ts';
import { etagOf } from '../src/core/precondition.ts';
import { orThrow } from '../src/core/problem.ts';
import { findAddress, suggestAddresses } from '../src/domain/addresses/look-up.ts';
import { readNationalAddress, replaceNationalAddress } from '../src/domain/addresses/record.ts';
import { addressesFor } from '../src/domain/sandbox/fault/addresses.ts';
import { checkAddressLater } from './address-checks.ts';
import { ifMatch } from './headers.ts';
import { merchantProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

const RECORD_PATH = '/v2/external/shipments/{shipmentId}/national-address';

export const nationalAddresses = router({
  get: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: RECORD_PATH,
        tags: ['Shipments'],
        summary: 'Read the National Address of a shipment',
        description:
          'The short code of the destination and what the national registry says about it. MISSING, with version 0, until there is a code. Deleted when the recipient is forgotten.',
      },
    })
    .input(request({ path: { shipmentId: uuid } }))
    .output(answer(nationalAddress))
    .query(async ({ ctx: { store, company, reply }, input }) => {
      const { isForgotten, ...found } = orThrow(await readNationalAddress(store.database, company, input.shipmentId));
      reply.headers['etag'] = etagOf(found.version);
      // What it blocks depends on the state of the shipment, too, which is not in the tag.
      reply.isTagStale = isForgotten || found.policy === 'REQUIRED';
      return found;
    }),

  replace: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'PUT',
        path: RECORD_PATH,
        tags: ['Shipments'],
        summary: 'Set the National Address of a shipment',
        description:
          'Until the shipment is out for delivery. A shipment that waited for its address is offered to drivers again. The registry is asked after the answer, which has status UNVERIFIED; the event national_address.checked has the result. If-Match takes the version of this record, not of the shipment, whose version and state do not change. The same code again changes nothing and gets 200, whatever If-Match says.',
      },
      problems: ['SHIPMENT_TERMINAL', 'INVALID_STATE_TRANSITION', 'PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
    })
    .input(request({ path: { shipmentId: uuid }, header: { ifMatch }, body: nationalAddressRequest }))
    .output(answer(nationalAddress))
    .mutation(async ({ ctx, input }) => {
      const { services, store, company, reply } = ctx;
      const { shipmentId, ifMatch: precondition, shortAddress } = input;
      const order = { shipmentId, precondition, shortAddress, source: 'MERCHANT' } as const;
      const replaced = orThrow(await replaceNationalAddress({ ...services, ...store }, company, order));
      if (replaced.status === 'UNVERIFIED') checkAddressLater(ctx, shipmentId);
      reply.headers['etag'] = etagOf(replaced.version);
      return replaced;
    }),

  lookUp: merchantProcedure('shipments:read', 'estimates', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: '/v2/external/national-address-lookups',
        tags: ['Addresses'],
        summary: 'Look up a National Address by its short code',
        description:
          'Has no side effect. A code that the registry does not know gets 404. While the registry does not answer or its quota is used up, the response is 503 with Retry-After. A code that was looked up in the last 30 days is answered without the registry.',
      },
      problems: ['RESOURCE_NOT_FOUND', 'ADDRESS_PROVIDER_UNAVAILABLE'],
    })
    .input(request({ body: lookUpRequest }))
    .output(answer(addressLookUp))
    .mutation(async ({ ctx: { services, store, company }, input }) =>
      orThrow(await findAddress(addressesFor(services, store, company), input.shortAddress)),
    ),

  suggest: merchantProcedure('shipments:read', 'estimates', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: '/v2/external/address-suggestions',
        tags: ['Addresses'],
        summary: 'Suggest places in Saudi Arabia for a text',
        description:
          'Has no side effect. For a form in which a person types an address: send the text when they pause, not after each letter. Ask the person to confirm the place, because names of streets repeat.',
      },
      problems: ['ADDRESS_PROVIDER_UNAVAILABLE'],
    })
    .input(request({ body: suggestionRequest }))
    .output(answer(addressSuggestions))
    .mutation(async ({ ctx: { services, store, company, facts }, input: { text, near, locale } }) =>
      orThrow(
        await suggestAddresses(addressesFor(services, store, company), { text, near, locale: locale ?? facts.locale }),
      ),
    ),
});
