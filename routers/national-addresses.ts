import { MEMBER } from '../src/access/require.ts';
import {
  addressLookUp,
  addressSuggestions,
  lookUpRequest,
  suggestionRequest,
} from '../src/contract/national-address.ts';
import { orThrow } from '../src/core/problem.ts';
import { findAddress, suggestAddresses } from '../src/domain/addresses/look-up.ts';
import { addressesFor } from '../src/domain/sandbox/fault/addresses.ts';
import { merchantProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

export const nationalAddresses = router({
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
