import { invalidHeaders, Problem } from './problem.ts';
import { refuse } from './result.ts';
import { parseUuid, type Uuid } from './uuid.ts';

/*
 * All tabs of a browser share one session cookie. So each call of a page names the person and the company that the page
 * shows, and the service refuses the call if the session is another's.
 */

export const ACTING_AS = 'Mirsal-Acting-As';
const FORM = '{personId}.{companyId}';

/** Who acts: a person or a driver, and the company of a merchant's person. */
export interface Actor {
  readonly id: string;
  /** Null for an operator and for a driver, who belong to no company. */
  readonly companyId: string | null;
}

/** The header's value. Nothing stands after the point if there is no company. */
export function actingAsText({ id, companyId }: Actor): string {
  return `${id}.${companyId ?? ''}`;
}

/** The person and the company in the header of a call; undefined without the header. Throws the `Problem` of a malformed one: 400. */
export function namedActor(header: string | null): { readonly id: Uuid; readonly companyId: Uuid | null } | undefined {
  if (header === null) return undefined;
  const [first = '', second, ...rest] = header.split('.');
  const id = parseUuid(first);
  const companyId = second === '' ? null : parseUuid(second ?? '');
  if (id === undefined || companyId === undefined || rest.length > 0)
    throw invalidHeaders({ field: ACTING_AS, code: 'PATTERN_MISMATCH', limit: FORM });
  return { id, companyId };
}

/** Refuses a call whose page shows somebody else than the session's holder: 409. */
export function requireActor(header: string | null, holder: Actor): void {
  const named = namedActor(header);
  if (named === undefined || actingAsText(named) === actingAsText(holder)) return;
  throw new Problem(refuse('SESSION_CHANGED'));
}
