import { useState } from 'preact/hooks';
import { formatTime, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf } from '../../ui/browser/base/navigation.tsx';
import { Confirm } from '../../ui/browser/kit/dialog.tsx';
import { Listing } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { FactList, PageHead } from '../../ui/browser/kit/page.tsx';
import { Moment } from '../../ui/browser/kit/text.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { useSession } from '../session/session.tsx';
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
    session: 'Session',
    end: 'End',
    signOut: 'Sign out',
    question: 'End this session?',
    consequence:
      'The device is signed out at its next click. The person can sign in again with a code to their e-mail or mobile.',
    ended: 'The session is ended.',
    over: 'This session has ended already.',
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
    session: 'الجلسة',
    end: 'إنهاء',
    signOut: 'تسجيل الخروج',
    question: 'هل تريد إنهاء هذه الجلسة؟',
    consequence: 'يُسجَّل خروج الجهاز عند النقرة التالية عليه. ويستطيع الشخص الدخول من جديد برمز يصل إلى بريده أو جواله.',
    ended: 'انتهت الجلسة.',
    over: 'انتهت هذه الجلسة من قبل.',
  },
};

type Session = Member['sessions'][number];

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
                <Sessions member={member} onChanged={loaded.reload} />
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

interface SessionsProps {
  readonly member: Member;
  readonly onChanged: () => void;
}

function Sessions({ member: { sessions, fullName }, onChanged }: SessionsProps) {
  const text = textsOf(TEXTS);
  const { signOut } = useSession();
  const [asked, setAsked] = useState<Session>();
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
          {
            label: text.session,
            isShort: true,
            cell: (session) =>
              session.isCurrent ? (
                <button type="button" class="plain" onClick={() => void signOut()}>
                  {text.signOut}
                </button>
              ) : (
                <button
                  type="button"
                  class="plain"
                  aria-label={`${text.end}: ${session.address ?? ''} ${formatTime(session.createdAt)}`}
                  onClick={() => setAsked(session)}
                >
                  {text.end}
                </button>
              ),
          },
        ]}
      />
      {asked === undefined ? null : (
        <EndDialog
          session={asked}
          fullName={fullName}
          onClose={() => {
            setAsked(undefined);
            onChanged();
          }}
        />
      )}
    </section>
  );
}

interface EndProps {
  readonly session: Session;
  readonly fullName: string;
  readonly onClose: () => void;
}

function EndDialog({ session: { sessionId, address }, fullName, onClose }: EndProps) {
  const text = textsOf(TEXTS);
  const work = useWork(async () => {
    await service.people.endSession.mutate({ sessionId });
    showToast(text.ended);
  });
  return (
    <Confirm
      title={text.question}
      verb={text.end}
      work={{ ...work, failure: worded(work.failure, { RESOURCE_NOT_FOUND: text.over }) }}
      isForCompany
      onDone={onClose}
      onClose={onClose}
    >
      <p>
        <strong>
          <bdi>{fullName}</bdi>
        </strong>{' '}
        · <SignInAddress address={address} />
      </p>
      <p>{text.consequence}</p>
    </Confirm>
  );
}
