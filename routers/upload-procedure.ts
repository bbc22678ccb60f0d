import { unauthenticated } from '../src/access/authenticate.ts';
import { orThrow, Problem, repeatedHeader } from '../src/core/problem.ts';
import { refuse } from '../src/core/result.ts';
import { parseUuid } from '../src/core/uuid.ts';
import { authorizeUpload } from '../src/domain/registrations/upload.ts';
import { procedure, takeAllowance } from './procedure.ts';

/** Two lines of the header, which runtimes join with a comma. */
const TWO_CAPABILITIES = /^upl_[\w-]+(?:, *upl_[\w-]+)+$/;

/**
 * A procedure that takes a document of the registration in the path. It requires the capability from the creation of the
 * registration. Any other capability is refused before the body is read. It is not available over tRPC, which has no path.
 */
export const uploadProcedure = procedure.meta({ security: 'upload' }).use(async ({ ctx, next }) => {
  const registrationId = ctx.parameters['registrationId'];
  if (registrationId === undefined) throw new Problem(refuse('ROUTE_NOT_FOUND'));
  const { uploadCapability } = ctx.facts;
  if (TWO_CAPABILITIES.test(uploadCapability ?? '')) throw repeatedHeader('Registration-Upload-Capability');
  const id = parseUuid(registrationId);
  if (uploadCapability === null || id === undefined) throw unauthenticated(null);
  const found = await ctx.services.failures.bound(ctx.facts.address, async () => {
    const authorized = await authorizeUpload(ctx.services, id, uploadCapability);
    if (!authorized.ok && authorized.code === 'AUTHENTICATION_REQUIRED') return undefined;
    return orThrow(authorized);
  });
  const draft = orThrow(found);
  if (draft === undefined) throw unauthenticated(null);
  await takeAllowance(ctx, 'writes', draft.id);
  return next({ ctx: { draft } });
});
