import { useState } from 'preact/hooks';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf } from '../../ui/browser/base/navigation.tsx';
import { Listing } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { FactList, PageHead } from '../../ui/browser/kit/page.tsx';
import { Moment } from '../../ui/browser/kit/text.tsx';
import {
  AccessPill,
  isLastOwner,
  type Member,
  ROLE_WORDS,
  SignedInFrom,
  SignInAddress,
  useMembers,
  worded,
} from './member.tsx';
import { PersonActions, type SetUp } from './person-actions.tsx';
import { Removed } from './removed.tsx';

const TEXTS = {
  en: {
    up: 'People',
    none: 'This person is not in your company',
    role: 'Role',
    since: 'Since',
    email: 'E-mail address',
    mobile: 'Mobile',
    lost: 'Another person has proved it.',
    last: 'Signed in',
    sessions: 'Signed in now',
    signedIn: 'Signed in',
    seen: 'Last used',
    by: 'Code by',
    from: 'From',
    EMAIL: 'e-mail',
    SMS: 'SMS',
    current: 'this page',
  },
  ar: {
    up: 'الأشخاص',
    none: 'ليس هذا الشخص في شركتك',
    role: 'الدور',
    since: 'منذ',
    email: 'البريد الإلكتروني',
    mobile: 'رقم الجوال',
    lost: 'أثبته شخص آخر.',
    last: 'الدخول',
    sessions: 'الجلسات المفتوحة الآن',
    signedIn: 'وقت الدخول',
    seen: 'آخر استخدام',
    by: 'وصل الرمز عبر',
    from: 'من',
    EMAIL: 'البريد الإلكتروني',
    SMS: 'رسالة نصية',
    current: 'هذه الصفحة',
  },
};

/** One person: what they may do, where they are signed in, and the changes that an owner can make. */
export function PersonPage({ personId }: { readonly personId: string }) {
  const text = textsOf(TEXTS);
  const up = { to: addressOf('people'), label: text.up };
  const loaded = useMembers();
  const [setUp, setSetUp] = useState<SetUp>();
  return (
    <WhenLoaded loaded={{ ...loaded, failure: worded(loaded.failure) }}>
      {(members) => {
        const member = members.find((one) => one.personId === personId);
        if (member === undefined) return <PageHead title={text.none} isLong up={up} />;
        return (
          <>
            <PageHead
              title={<bdi>{member.fullName}</bdi>}
              up={up}
              lead={setUp === undefined ? <AccessPill member={member} /> : undefined}
            />
            {setUp === undefined ? (
              <>
                <Facts member={member} />
                <PersonActions
                  member={member}
                  isLast={isLastOwner(member, members)}
                  onChanged={loaded.reload}
                  onRemoved={setSetUp}
                />
                <Sessions sessions={member.sessions} />
              </>
            ) : (
              <Removed setUp={setUp} members={members} />
            )}
          </>
        );
      }}
    </WhenLoaded>
  );
}

function Facts({ member }: { readonly member: Member }) {
  const text = textsOf(TEXTS);
  const { role, createdAt, email, maskedMobile } = member;
  return (
    <FactList
      facts={[
        [text.role, ROLE_WORDS[role][locale]],
        [text.email, email === null ? text.lost : <bdi dir="ltr">{email}</bdi>],
        [text.mobile, maskedMobile === null ? text.lost : <bdi dir="ltr">{maskedMobile}</bdi>],
        [text.since, <Moment key="since" at={createdAt} />],
        [text.last, member.sessions.length > 0 ? undefined : <SignedInFrom key="last" member={member} />],
      ]}
    />
  );
}

function Sessions({ sessions }: Pick<Member, 'sessions'>) {
  const text = textsOf(TEXTS);
  if (sessions.length === 0) return null;
  return (
    <section class="part">
      <h2>{text.sessions}</h2>
      <Listing
        caption={text.sessions}
        rows={sessions}
        keyOf={({ sessionId }) => sessionId}
        columns={[
          {
            label: text.from,
            cell: ({ address, isCurrent }) => (
              <>
                <SignInAddress address={address} />
                {isCurrent ? ` (${text.current})` : ''}
              </>
            ),
          },
          { label: text.signedIn, isShort: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { label: text.seen, isShort: true, cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
          { label: text.by, isShort: true, cell: ({ channel }) => text[channel] },
        ]}
      />
    </section>
  );
}
