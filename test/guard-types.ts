import { merchantProcedure, personProcedure, sandboxProcedure } from '../routers/procedure.ts';
import { MEMBER } from '../src/access/require.ts';

/* The type checker alone runs this file: `npm run check:types` fails when one of these lines compiles after all. */

// Every procedure that takes a session names the role and the assurance that it demands of a person.
merchantProcedure('webhooks:manage', 'writes', MEMBER);
// @ts-expect-error -- no demands
merchantProcedure('webhooks:manage', 'writes');
// @ts-expect-error -- no assurance
merchantProcedure('webhooks:manage', 'writes', { role: 'OWNER' });
// @ts-expect-error -- no demands
sandboxProcedure('writes');
// @ts-expect-error -- no demands
personProcedure('writes');
