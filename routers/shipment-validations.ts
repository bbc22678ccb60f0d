import { MEMBER } from '../src/access/require.ts';
import { shipmentRequest } from '../src/contract/shipment.ts';
import { knownMembersOf, shipmentValidation, VALIDATION_VIOLATIONS_MAX } from '../src/contract/shipment-validation.ts';
import { orThrow } from '../src/core/problem.ts';
import { routingFor } from '../src/domain/sandbox/fault/fault.ts';
import { validateShipment } from '../src/domain/shipments/validate.ts';
import { nationalAddress } from './headers.ts';
import { examinedRequest } from './other-requests.ts';
import { merchantProcedure, router } from './procedure.ts';
import { answer } from './request.ts';

export const shipmentValidations = router({
  create: merchantProcedure('shipments:read', 'estimates', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: '/v2/external/shipment-validations',
        tags: ['Shipments'],
        summary: 'Check a creation request without creating anything',
        description:
          'Takes the body of a creation and says whether it would be accepted now: every violated rule, its price, and what a person should look at. Stores nothing and uses no Idempotency-Key. A body that breaks rules gets 200; only a body that is no JSON object is refused.',
      },
    })
    .input(examinedRequest({ header: { nationalAddress }, body: shipmentRequest }, VALIDATION_VIOLATIONS_MAX))
    .output(answer(shipmentValidation))
    .mutation(async ({ ctx: { services, store, company, facts }, input: { header, members, violations } }) => {
      const routing = routingFor(services, store, company);
      const addressPolicy = await services.addressPolicies.policyOf(store.database, company);
      const order = { known: knownMembersOf(members), violations, locale: facts.locale, addressPolicy, ...header };
      return orThrow(await validateShipment({ ...services, ...store, routing }, company, order));
    }),
});
