import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { type AreaProps, addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Listing } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { Moment } from '../../ui/browser/kit/text.tsx';
import { useIsOwner } from '../session/session.tsx';
import { InvitePage } from './invite-page.tsx';
import { AccessPill, ROLE_WORDS, SignedInFrom, useMembers, worded } from './member.tsx';
import { PersonPage } from './person-page.tsx';

const TEXTS = {
  en: {
    title: 'People',
    lead: 'Who can get into your account, and from where.',
    invite: 'Invite a person',
    member: 'Only an owner of the company can see and change who can sign in.',
    name: 'Name',
    role: 'Role',
    since: 'Since',
    access: 'Access',
    signedIn: 'Signed in',
  },
  ar: {
    title: 'الأشخاص',
    lead: 'من يستطيع الدخول إلى حسابك، ومن أين.',
    invite: 'دعوة شخص',
    member: 'لا يستطيع الاطلاع على من يدخل الحساب أو تغييره إلا أحد مالكي الشركة.',
    name: 'الاسم',
    role: 'الدور',
    since: 'منذ',
    access: 'الحالة',
    signedIn: 'تسجيل الدخول',
  },
};

/** The people of the company. */
export function People({ address: { id, part } }: AreaProps) {
  const text = textsOf(TEXTS);
  const isOwner = useIsOwner();
  if (part !== undefined) return <NoSuchPage />;
  if (!isOwner)
    return (
      <>
        <PageHead title={text.title} />
        <p class="notice">{text.member}</p>
      </>
    );
  if (id === undefined) return <PeoplePage />;
  return id === 'new' ? <InvitePage /> : <PersonPage personId={id} />;
}

/** Everybody who can sign in or is invited, the first one first. */
function PeoplePage() {
  const text = textsOf(TEXTS);
  const loaded = useMembers();
  return (
    <>
      <PageHead title={text.title} lead={text.lead}>
        <Link to={addressOf('people/new')} class="button primary">
          {text.invite}
        </Link>
      </PageHead>
      <WhenLoaded loaded={{ ...loaded, failure: worded(loaded.failure) }}>
        {(members) => (
          <Listing
            caption={text.title}
            rows={members}
            keyOf={({ personId }) => personId}
            columns={[
              {
                label: text.name,
                cell: ({ personId, fullName, email, maskedMobile }) => (
                  <>
                    <Link to={addressOf(`people/${personId}`)}>
                      <bdi>{fullName}</bdi>
                    </Link>
                    <div class="small quiet">
                      <bdi dir="ltr">{email ?? maskedMobile ?? '—'}</bdi>
                    </div>
                  </>
                ),
              },
              { label: text.role, isShort: true, cell: ({ role }) => ROLE_WORDS[role][locale] },
              { label: text.access, cell: (member) => <AccessPill member={member} /> },
              { label: text.signedIn, cell: (member) => <SignedInFrom member={member} /> },
              { label: text.since, isShort: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
            ]}
          />
        )}
      </WhenLoaded>
    </>
  );
}
