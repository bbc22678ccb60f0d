import type { Role } from '../../contract/person-role.ts';
import { SIGN_IN_DAYS } from '../../core/limits.ts';
import type { LocalText } from '../../core/locale.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import type { CallFailure } from '../../ui/browser/service/failure.ts';
import { type Loaded, useLoaded } from '../../ui/browser/service/loading.ts';
import { Pill } from '../../ui/state.tsx';

type SignIns = Outputs['people']['signIns'];

/** A person of the company, with their active sessions, newest first. */
export type Member = Outputs['people']['list'][number] & {
  readonly sessions: SignIns['sessions'];
  readonly lastSignInAt: string | undefined;
};

export const ROLE_WORDS: Readonly<Record<Role, LocalText>> = {
  OWNER: { en: 'Owner', ar: 'مالك' },
  MEMBER: { en: 'Member', ar: 'عضو' },
};

/** The people of the company, the first one first. */
export function useMembers(): Loaded<readonly Member[]> {
  return useLoaded('people', async () => {
    const [people, { sessions, last }] = await Promise.all([
      service.people.list.query({}),
      service.people.signIns.query({}),
    ]);
    return people.map((person) => ({
      ...person,
      sessions: sessions.filter(({ personId }) => personId === person.personId),
      lastSignInAt: last.find(({ personId }) => personId === person.personId)?.at,
    }));
  });
}

/** Whether the company has no other owner who can sign in. The service then keeps this one. */
export function isLastOwner({ personId, role }: Member, members: readonly Member[]): boolean {
  const others = members.filter((one) => one.personId !== personId && one.role === 'OWNER' && one.hasAccepted);
  return role === 'OWNER' && others.length === 0;
}

const TEXTS = {
  en: {
    active: 'Can sign in',
    invited: 'Invited',
    now: 'Now, from',
    unknown: 'an unknown address',
    last: 'Last on',
    never: `Not in the last ${SIGN_IN_DAYS} days`,
    ACCESS_DENIED: 'You are not an owner of the company any more. Load the page again.',
    INVALID_STATE_TRANSITION:
      'The company needs an owner who can sign in. Make another person an owner first, and wait until they have accepted.',
    RESOURCE_NOT_FOUND: 'Another owner has removed this person.',
    REGISTRATION_INCOMPLETE: 'Your company is not approved yet. You can invite people as soon as it is.',
  },
  ar: {
    active: 'يستطيع الدخول',
    invited: 'بانتظار قبول الدعوة',
    now: 'الآن، من',
    unknown: 'عنوان غير معروف',
    last: 'آخر دخول',
    never: `لا دخول خلال آخر ${SIGN_IN_DAYS} يومًا`,
    ACCESS_DENIED: 'لم تعد مالكًا في الشركة. حمّل الصفحة من جديد.',
    INVALID_STATE_TRANSITION: 'تحتاج الشركة إلى مالك يستطيع الدخول. اجعل شخصًا آخر مالكًا أولًا، وانتظر حتى يقبل الدعوة.',
    RESOURCE_NOT_FOUND: 'أزال مالك آخر هذا الشخص.',
    REGISTRATION_INCOMPLETE: 'لم يُوافَق على شركتك بعد. يمكنك دعوة الأشخاص فور الموافقة.',
  },
};

/** Whether a person can sign in or only has an invitation. */
export function AccessPill({ member: { hasAccepted } }: { readonly member: Member }) {
  const text = textsOf(TEXTS);
  return (
    <span class="calm">
      <Pill tone={hasAccepted ? 'good' : 'waiting'}>{hasAccepted ? text.active : text.invited}</Pill>
    </span>
  );
}

/** Where a person is signed in, or when they last signed in. */
export function SignedInFrom({ member: { sessions, lastSignInAt, hasAccepted } }: { readonly member: Member }) {
  const text = textsOf(TEXTS);
  if (!hasAccepted) return <>—</>;
  if (sessions.length > 0) {
    const addresses = [...new Set(sessions.map(({ address }) => address))];
    return (
      <>
        {text.now}
        {addresses.map((address) => (
          <div key={address}>
            <SignInAddress address={address} />
          </div>
        ))}
      </>
    );
  }
  if (lastSignInAt === undefined) return <>{text.never}</>;
  return (
    <>
      {text.last} <Moment at={lastSignInAt} />
    </>
  );
}

/** The network address of a sign-in. */
export function SignInAddress({ address }: { readonly address: string | null }) {
  return address === null ? <>{textsOf(TEXTS).unknown}</> : <Exact>{address}</Exact>;
}

/** A refusal in the words of these pages, or of one of them, instead of those for every kind of change. */
export function worded(
  failure: CallFailure | undefined,
  own: Readonly<Record<string, string>> = {},
): CallFailure | undefined {
  if (failure === undefined || failure.problem?.companyState !== undefined) return failure;
  const words: Readonly<Record<string, unknown>> = { ...textsOf(TEXTS), ...own };
  const title = words[failure.code];
  return typeof title === 'string' ? { ...failure, code: `PEOPLE_${failure.code}`, title, detail: undefined } : failure;
}
