import { type Actor, actingAsText } from '../../core/acting-as.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import type { Outputs } from '../../ui/browser/service/calls.ts';

/** An operator's session has no company. */
export type Session = Outputs['sessions']['current'];

const TEXTS = { en: 'Operations', ar: 'العمليات' };

/** The company and the person of a session. */
export function Holder({ session: { company, person } }: { readonly session: Session }) {
  return (
    <>
      <bdi>{company?.name ?? textsOf(TEXTS)}</bdi> · <bdi>{person.fullName}</bdi>
    </>
  );
}

/** The person and the company that the pages of a session show, as their calls name them. */
export function actorOf({ person, company }: Session): Actor {
  return { id: person.personId, companyId: company?.companyId ?? null };
}

/** The pages of a session's holder. */
export function homeOf({ company }: Session): string {
  return company === null ? '/operations' : '/console';
}

/** The start of the names of a session's drafts. Those of another person, or of another company, are deleted. */
export function draftsOf(session: Session): string {
  return actingAsText(actorOf(session));
}
