import { useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { type AreaProps, addressOf, Link, navigate } from '../../ui/browser/base/navigation.tsx';
import { Choice, Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { Listing, Pager } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Empty, NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { NUMBERED } from '../../ui/browser/kit/readers.ts';
import { Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';

const TEXTS = {
  en: {
    title: 'Audit',
    lead: 'The changes that operators and their programs made, newest first.',
    empty: 'Nobody has changed anything yet.',
    start: 'Publish a tariff',
    none: 'No change matches.',
    all: 'Show all changes',
    by: 'Changes',
    any: 'All',
    companyId: 'Of a company, by its id',
    subjectBy: 'Of a shipment, driver or other thing, by its id or code',
    personId: 'By an operator, by their person id',
    find: 'Search',
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
    none: 'لا تغيير مطابق.',
    all: 'اعرض كل التغييرات',
    by: 'التغييرات',
    any: 'الكل',
    companyId: 'لشركة، بمعرّفها',
    subjectBy: 'لشحنة أو سائق أو غيرهما، بالمعرّف أو الرمز',
    personId: 'لمشغّل، بمعرّف الشخص',
    find: 'ابحث',
    at: 'الوقت',
    who: 'بواسطة',
    action: 'الإجراء',
    subject: 'الموضوع',
    company: 'الشركة',
    detail: 'التفاصيل',
  },
};

const KEYS = ['any', 'companyId', 'subject', 'personId'] as const;
type Key = (typeof KEYS)[number];

export function Audit({ address: { id, query } }: AreaProps) {
  const text = textsOf(TEXTS);
  const cursor = query.get('cursor') ?? undefined;
  const by = KEYS.find((key) => key === query.get('by')) ?? 'any';
  const asked = by === 'any' ? '' : (query.get('text') ?? '');
  const filters = filtersOf(by, asked);
  const loaded = useLoaded(addressOf('audit', { ...filters, cursor }), () =>
    service.operations.audit.list.query({
      ...(asked === '' ? {} : { [by]: asked }),
      ...(cursor === undefined ? {} : { cursor }),
    }),
  );
  if (id !== undefined) return <NoSuchPage />;
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <FilterForm key={query.toString()} by={by} asked={asked} />
      <WhenLoaded loaded={loaded}>
        {({ data, page }) => (
          <>
            {data.length === 0 ? (
              <Empty text={asked === '' ? text.empty : text.none}>
                {asked === '' ? (
                  <Link to={addressOf('tariffs/new')}>{text.start}</Link>
                ) : (
                  <Link to={addressOf('audit')}>{text.all}</Link>
                )}
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
            <Pager path="audit" filters={filters} cursor={cursor} nextCursor={page.nextCursor} />
          </>
        )}
      </WhenLoaded>
    </>
  );
}

function filtersOf(by: Key, text: string) {
  return by === 'any' || text === '' ? {} : { by, text };
}

function FilterForm({ by, asked }: { readonly by: Key; readonly asked: string }) {
  const text = textsOf(TEXTS);
  const [key, setKey] = useState(by);
  const [typed, setTyped] = useState(asked);
  const labels = { any: text.any, companyId: text.companyId, subject: text.subjectBy, personId: text.personId };
  return (
    <Form class="form" search={text.title} onSubmit={() => navigate(addressOf('audit', filtersOf(key, typed)))}>
      <div class="pair">
        <Choice
          label={text.by}
          value={key}
          options={KEYS.map((value) => ({ value, label: labels[value] }))}
          onChange={setKey}
        />
        {key === 'any' ? null : <Field label={labels[key]} value={typed} onChange={setTyped} reads={NUMBERED} />}
      </div>
      <div class="actions">
        <Button type="submit" kind="primary">
          {text.find}
        </Button>
      </div>
    </Form>
  );
}

function detailOf(detail: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(detail).map(([name, value]) => `${name}: ${String(value)}`);
  return members.length === 0 ? '—' : members.join(', ');
}
