import { useState } from 'preact/hooks';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { type AreaProps, addressOf, Link, navigate } from '../../ui/browser/base/navigation.tsx';
import { Choice, Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { Listing, Pager } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Empty, NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { SOUGHT } from '../../ui/browser/kit/readers.ts';
import { Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import { COMPANY_STATE_WORDS, CompanyPage, CompanyPill } from './company-page.tsx';

const TEXTS = {
  en: {
    title: 'Companies',
    lead: 'Find a company, look at it, and suspend or resume it.',
    search: 'Name, company id or registration number',
    state: 'State',
    any: 'Any',
    find: 'Search',
    none: 'No company matches.',
    all: 'Show all companies',
    registrations: 'Go to the registrations',
    name: 'Name',
    number: 'Registration number',
    shard: 'Shard',
    created: 'Created',
  },
  ar: {
    title: 'الشركات',
    lead: 'ابحث عن شركة واطّلع عليها وأوقفها مؤقتًا أو استأنف خدمتها.',
    search: 'الاسم أو معرّف الشركة أو رقم السجل التجاري',
    state: 'الحالة',
    any: 'الكل',
    find: 'ابحث',
    none: 'لا توجد شركة مطابقة.',
    all: 'اعرض كل الشركات',
    registrations: 'إلى التسجيلات',
    name: 'الاسم',
    number: 'رقم السجل التجاري',
    shard: 'شريحة البيانات',
    created: 'أُنشئت',
  },
};
const STATES = ['any', 'ACTIVE', 'SUSPENDED'] as const;

/** Companies, and one company below its id. */
export function Companies({ address: { id, part, query } }: AreaProps) {
  if (part !== undefined) return <NoSuchPage />;
  return id === undefined ? <CompanyList query={query} /> : <CompanyPage companyId={id} />;
}

function CompanyList({ query }: { readonly query: URLSearchParams }) {
  const text = textsOf(TEXTS);
  const search = query.get('search') ?? '';
  const state = STATES.find((one) => one === query.get('state')) ?? 'any';
  const cursor = query.get('cursor') ?? undefined;
  const filters = filtersOf(search, state);
  const loaded = useLoaded(addressOf('companies', { ...filters, cursor }), () =>
    service.operations.companies.list.query({
      search,
      ...(state === 'any' ? {} : { state }),
      ...(cursor === undefined ? {} : { cursor }),
    }),
  );
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <SearchForm key={query.toString()} search={search} state={state} />
      <WhenLoaded loaded={loaded}>
        {({ data, page }) => (
          <>
            {data.length === 0 ? (
              <Empty text={text.none}>
                {search === '' && state === 'any' ? (
                  <Link to={addressOf('registrations')}>{text.registrations}</Link>
                ) : (
                  <Link to={addressOf('companies')}>{text.all}</Link>
                )}
              </Empty>
            ) : (
              <Listing
                caption={text.title}
                rows={data}
                keyOf={({ companyId }) => companyId}
                columns={[
                  {
                    label: text.name,
                    cell: ({ companyId, name }) => (
                      <Link to={addressOf(`companies/${companyId}`)}>
                        <bdi>{name}</bdi>
                      </Link>
                    ),
                  },
                  { label: text.state, cell: (company) => <CompanyPill state={company.state} /> },
                  {
                    label: text.number,
                    isShort: true,
                    cell: ({ commercialRegistrationNumber: number }) =>
                      number === null ? '—' : <Exact>{number}</Exact>,
                  },
                  { label: text.shard, isShort: true, cell: ({ shard }) => <Exact>{shard}</Exact> },
                  { label: text.created, isShort: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
                ]}
              />
            )}
            <Pager path="companies" filters={filters} cursor={cursor} nextCursor={page.nextCursor} />
          </>
        )}
      </WhenLoaded>
    </>
  );
}

type StateFilter = (typeof STATES)[number];

function filtersOf(search: string, state: StateFilter) {
  return { search, state: state === 'any' ? undefined : state };
}

function SearchForm({ search, state }: { readonly search: string; readonly state: StateFilter }) {
  const text = textsOf(TEXTS);
  const [typed, setTyped] = useState(search);
  const [chosen, setChosen] = useState(state);
  return (
    <Form class="form" search={text.title} onSubmit={() => navigate(addressOf('companies', filtersOf(typed, chosen)))}>
      <div class="pair">
        <Field label={text.search} value={typed} onChange={setTyped} reads={SOUGHT} />
        <Choice
          label={text.state}
          value={chosen}
          options={STATES.map((value) => ({
            value,
            label: value === 'any' ? text.any : COMPANY_STATE_WORDS[value][locale],
          }))}
          onChange={setChosen}
        />
      </div>
      <div class="actions">
        <Button type="submit" kind="primary">
          {text.find}
        </Button>
      </div>
    </Form>
  );
}
