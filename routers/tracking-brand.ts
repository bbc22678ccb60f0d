import { MEMBER, PROVED_OWNER } from '../src/access/require.ts';
import { trackingBrand as brand, brandContact, brandLogo } from '../src/contract/tracking-brand.ts';
import { orThrow } from '../src/core/problem.ts';
import { readBrand, setContact, setLogo } from '../src/domain/tracking/brand.ts';
import { ifMatch } from './headers.ts';
import { personProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

/**
 * What recipients see of a company on its tracking pages. Only over tRPC, which the console uses. A change needs a second
 * factor, because recipients trust the number that they see.
 */
export const trackingBrand = router({
  get: personProcedure('reads', MEMBER)
    .input(request({}))
    .output(answer(brand))
    .query(async ({ ctx: { services, store, company } }) =>
      orThrow(await readBrand({ ...services, ...store }, company)),
    ),

  setContact: personProcedure('writes', PROVED_OWNER)
    .input(request({ header: { ifMatch }, body: brandContact }))
    .output(answer(brand))
    .mutation(async ({ ctx: { services, store, company }, input: { ifMatch: precondition, ...contact } }) =>
      orThrow(await setContact({ ...services, ...store }, company, { precondition, contact })),
    ),

  setLogo: personProcedure('writes', PROVED_OWNER)
    .input(request({ header: { ifMatch }, body: brandLogo }))
    .output(answer(brand))
    .mutation(async ({ ctx: { services, store, company }, input: { ifMatch: precondition, logo } }) =>
      orThrow(await setLogo({ ...services, ...store }, company, { precondition, logo })),
    ),
});
