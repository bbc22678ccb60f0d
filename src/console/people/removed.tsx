import type { LocalText } from '../../core/locale.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Listing } from '../../ui/browser/kit/listing.tsx';
import { Exact, Moment } from '../../ui/browser/kit/text.tsx';
import type { Member } from './member.tsx';
import type { SetUp } from './person-actions.tsx';

const TEXTS = {
  en: {
    removed: 'Removed. This person is signed out and can no longer sign in.',
    none: 'They had set up nothing that keeps working.',
    title: 'What this person had set up',
    secrets:
      'Secrets that this person has seen still work. Rotate the secret of the API credential and of each webhook endpoint in this list.',
    what: 'What',
    which: 'Which',
    at: 'When',
  },
  ar: {
    removed: 'تمت الإزالة. انتهت جلسات هذا الشخص ولا يستطيع الدخول بعد الآن.',
    none: 'لم يُعدّ شيئًا يستمر في العمل.',
    title: 'ما أعدّه هذا الشخص',
    secrets: 'ما زالت الأسرار التي رآها هذا الشخص صالحة. دوّر سر بيانات اعتماد API وسر كل نقطة استقبال في هذه القائمة.',
    what: 'ما هو',
    which: 'أيها',
    at: 'متى',
  },
};

interface Kind {
  readonly words: LocalText;
  /** The page where an owner can look at it. */
  readonly path: (subject: string) => string;
  readonly isSecret?: true;
}

const credential = () => 'credentials';
const endpoint = (subject: string) => `webhooks/${subject}`;
const KINDS: Readonly<Record<string, Kind>> = {
  'credential.created': {
    words: { en: 'API credential issued', ar: 'إصدار بيانات اعتماد API' },
    path: credential,
    isSecret: true,
  },
  'credential.rotated': {
    words: { en: 'Secret of the API credential rotated', ar: 'تدوير سر بيانات اعتماد API' },
    path: credential,
    isSecret: true,
  },
  'webhook_endpoint.created': {
    words: { en: 'Webhook endpoint created', ar: 'إضافة نقطة استقبال' },
    path: endpoint,
    isSecret: true,
  },
  'webhook_endpoint.updated': { words: { en: 'Webhook endpoint changed', ar: 'تعديل نقطة استقبال' }, path: endpoint },
  'webhook_endpoint.rotated': {
    words: { en: 'Secret of a webhook endpoint rotated', ar: 'تدوير سر نقطة استقبال' },
    path: endpoint,
    isSecret: true,
  },
  'person.added': { words: { en: 'Person invited', ar: 'دعوة شخص' }, path: (subject) => `people/${subject}` },
  'branch.created': {
    words: { en: 'Branch created', ar: 'إضافة فرع' },
    path: (subject) => `places/${subject}`,
  },
  'pickup_location.created': {
    words: { en: 'Pickup location created', ar: 'إضافة موقع استلام' },
    path: () => 'places',
  },
};

interface RemovedProps {
  readonly setUp: SetUp;
  readonly members: readonly Member[];
}

/** What a removed person had set up. The secrets that they have seen still work. */
export function Removed({ setUp, members }: RemovedProps) {
  const text = textsOf(TEXTS);
  const rows = newestOfEach(setUp);
  return (
    <>
      <p role="status">{text.removed}</p>
      {rows.length === 0 ? (
        <p class="quiet">{text.none}</p>
      ) : (
        <section class="part">
          <h2>{text.title}</h2>
          {rows.some(({ action }) => KINDS[action]?.isSecret === true) ? <p class="notice">{text.secrets}</p> : null}
          <Listing
            caption={text.title}
            rows={rows}
            keyOf={({ action, subject }) => `${action} ${subject}`}
            columns={[
              {
                label: text.what,
                cell: ({ action, subject }) => {
                  const kind = KINDS[action];
                  if (kind === undefined) return <Exact>{action}</Exact>;
                  return <Link to={addressOf(kind.path(subject))}>{kind.words[locale]}</Link>;
                },
              },
              {
                label: text.which,
                cell: ({ action, subject }) => {
                  const person = members.find(({ personId }) => personId === subject);
                  if (person !== undefined) return <bdi>{person.fullName}</bdi>;
                  return KINDS[action]?.path === credential ? '—' : <Exact>{subject}</Exact>;
                },
              },
              { label: text.at, isShort: true, cell: ({ at }) => <Moment at={at} /> },
            ]}
          />
        </section>
      )}
    </>
  );
}

/** The newest entry of each kind and thing. Entries are newest first. */
function newestOfEach(setUp: SetUp): SetUp {
  const seen = new Set<string>();
  return setUp.filter(({ action, subject }) => {
    const key = `${action} ${subject}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
