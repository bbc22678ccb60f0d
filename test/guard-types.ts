import { merchantProcedure, personProcedure, sandboxProcedure } from '../routers/procedure.ts';
import { MEMBER } from '../src/access/require.ts';
import type { commitChange } from '../src/domain/audit/change.ts';

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

// Every change says what the audit has of it.
type Change = Parameters<typeof commitChange>[1];
const unit = { statements: [] };
({ unit, audit: 'unaudited' }) satisfies Change;
// @ts-expect-error -- no audit
({ unit }) satisfies Change;
// @ts-expect-error -- neither an entry nor the word for none
({ unit, audit: undefined }) satisfies Change;
