import type { RegistrationStatus } from '../../contract/registration-review.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { type AreaProps, addressOf, Link, navigate } from '../../ui/browser/base/navigation.tsx';
import { Choice } from '../../ui/browser/kit/field.tsx';
import { Listing, Pager } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Empty, NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { Moment } from '../../ui/browser/kit/text.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import { Pill, type Tone } from '../../ui/state.tsx';
import { RegistrationPage } from './registration-page.tsx';
import { BASIS_WORDS, STATUS_WORDS } from './registration-words.ts';

const TEXTS = {
  en: {
    title: 'Registrations',
    lead: 'A company may create shipments when its registration is approved.',
    empty: 'No registration has this status.',
    all: 'Show those that wait',
    queues: 'Go to the queues',
    status: 'Status',
    store: 'Store',
    basis: 'Legal basis',
    created: 'Started',
    completed: 'Completed',
  },
  ar: {
    title: 'التسجيلات',
    lead: 'تستطيع الشركة إنشاء الشحنات بعد الموافقة على تسجيلها.',
    empty: 'لا يوجد تسجيل بهذه الحالة.',
    all: 'اعرض ما ينتظر الموافقة',
    queues: 'إلى قوائم الانتظار',
    status: 'الحالة',
    store: 'المتجر',
    basis: 'الصفة النظامية',
    created: 'بدأ',
    completed: 'اكتمل',
  },
};
const STATUSES: readonly RegistrationStatus[] = ['PENDING', 'APPROVED', 'REJECTED', 'DRAFT'];
const TONES: Readonly<Record<RegistrationStatus, Tone>> = {
  PENDING: 'waiting',
  APPROVED: 'good',
  REJECTED: 'bad',
  DRAFT: 'over',
};

/** Registrations, those that wait for an operator first. */
export function Registrations({ address: { id, part, query } }: AreaProps) {
  if (part !== undefined) return <NoSuchPage />;
  return id === undefined ? <RegistrationList query={query} /> : <RegistrationPage registrationId={id} />;
}

function RegistrationList({ query }: { readonly query: URLSearchParams }) {
  const text = textsOf(TEXTS);
  const status = STATUSES.find((one) => one === query.get('status')) ?? 'PENDING';
  const cursor = query.get('cursor') ?? undefined;
  const loaded = useLoaded(`registrations ${status} ${cursor}`, () =>
    service.operations.registrations.list.query({ status, ...(cursor === undefined ? {} : { cursor }) }),
  );
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <div class="narrow">
        <Choice
          label={text.status}
          value={status}
          options={STATUSES.map((value) => ({ value, label: STATUS_WORDS[value][locale] }))}
          onChange={(value) => navigate(addressOf('registrations', { status: value }))}
        />
      </div>
      <WhenLoaded loaded={loaded}>
        {({ data, page }) => (
          <>
            {data.length === 0 ? (
              <Empty text={text.empty}>
                {status === 'PENDING' ? (
                  <Link to={addressOf('')}>{text.queues}</Link>
                ) : (
                  <Link to={addressOf('registrations')}>{text.all}</Link>
                )}
              </Empty>
            ) : (
              <Listing
                caption={text.title}
                rows={data}
                keyOf={({ registrationId }) => registrationId}
                columns={[
                  {
                    label: text.store,
                    cell: ({ registrationId, storeName }) => (
                      <Link to={addressOf(`registrations/${registrationId}`)}>
                        <bdi>{storeName}</bdi>
                      </Link>
                    ),
                  },
                  { label: text.basis, cell: ({ legalBasis }) => BASIS_WORDS[legalBasis][locale] },
                  {
                    label: text.status,
                    cell: (one) => (
                      <span class="calm">
                        <Pill tone={TONES[one.status]}>{STATUS_WORDS[one.status][locale]}</Pill>
                      </span>
                    ),
                  },
                  { label: text.created, isShort: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
                  {
                    label: text.completed,
                    isShort: true,
                    cell: ({ completedAt }) => (completedAt === null ? '—' : <Moment at={completedAt} />),
                  },
                ]}
              />
            )}
            <Pager
              path="registrations"
              filters={{ status }}
              cursor={cursor}
              nextCursor={page.nextCursor}
              isOldestFirst
            />
          </>
        )}
      </WhenLoaded>
    </>
  );
}
