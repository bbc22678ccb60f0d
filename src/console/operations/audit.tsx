import { textsOf } from '../base/locale.ts';
import { type AreaProps, addressOf, Link } from '../base/navigation.tsx';
import { Listing, Pager } from '../kit/listing.tsx';
import { WhenLoaded } from '../kit/loading.tsx';
import { Empty, NoSuchPage, PageHead } from '../kit/page.tsx';
import { Exact, Moment } from '../kit/text.tsx';
import { service } from '../service/calls.ts';
import { useLoaded } from '../service/loading.ts';

const TEXTS = {
  en: {
    title: 'Audit',
    lead: 'The changes that operators and their programs made, newest first.',
    empty: 'Nobody has changed anything yet.',
    start: 'Publish a tariff',
    at: 'Time',
    who: 'Who',
    action: 'Action',
    subject: 'Subject',
    company: 'Company',
    detail: 'Details',
  },
  ar: {
    title: 'سجل التدقيق',
    lead: 'تغييرات المشغّلين وبرامجهم، الأحدث أولًا.',
    empty: 'لم يغيّر أحد شيئًا بعد.',
    start: 'انشر تعرفة',
    at: 'الوقت',
    who: 'من',
    action: 'الإجراء',
    subject: 'الموضوع',
    company: 'الشركة',
    detail: 'التفاصيل',
  },
};

export function Audit({ address: { id, query } }: AreaProps) {
  const text = textsOf(TEXTS);
  const cursor = query.get('cursor') ?? undefined;
  const loaded = useLoaded(`audit ${cursor}`, () =>
    service.operations.audit.list.query(cursor === undefined ? {} : { cursor }),
  );
  if (id !== undefined) return <NoSuchPage />;
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <WhenLoaded loaded={loaded}>
        {({ data, page }) => (
          <>
            {data.length === 0 ? (
              <Empty text={text.empty}>
                <Link to={addressOf('tariffs/new')}>{text.start}</Link>
              </Empty>
            ) : (
              <Listing
                caption={text.title}
                rows={data}
                keyOf={({ entryId }) => entryId}
                columns={[
                  { label: text.at, isShort: true, cell: ({ at }) => <Moment at={at} hasSeconds /> },
                  { label: text.action, cell: ({ action }) => <Exact>{action}</Exact> },
                  { label: text.subject, cell: ({ subject }) => <Exact>{subject}</Exact> },
                  {
                    label: text.who,
                    cell: ({ personName, personId, clientId }) =>
                      personName === null ? <Exact>{personId ?? clientId ?? '—'}</Exact> : <bdi>{personName}</bdi>,
                  },
                  {
                    label: text.company,
                    cell: ({ companyId }) =>
                      companyId === null ? (
                        '—'
                      ) : (
                        <Link to={addressOf(`companies/${companyId}`)}>
                          <Exact>{companyId}</Exact>
                        </Link>
                      ),
                  },
                  { label: text.detail, cell: ({ detail }) => <Exact>{detailOf(detail)}</Exact> },
                ]}
              />
            )}
            <Pager path="audit" filters={{}} cursor={cursor} nextCursor={page.nextCursor} />
          </>
        )}
      </WhenLoaded>
    </>
  );
}

function detailOf(detail: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(detail).map(([name, value]) => `${name}: ${String(value)}`);
  return members.length === 0 ? '—' : members.join(', ');
}
