import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { type AreaProps, addressOf, Link, navigate } from '../../ui/browser/base/navigation.tsx';
import { useCityNames } from '../../ui/browser/kit/city-field.tsx';
import { Choice } from '../../ui/browser/kit/field.tsx';
import { Listing, Pager } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Empty, NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import { EditBranchPage, NewBranchPage } from './branch-form.tsx';
import { BranchPage } from './branch-page.tsx';
import { LocationPage, NewLocationPage } from './location-page.tsx';
import { type Branch, nameOf, StatusPill, statusOptions } from './place.tsx';

/** Branches and pickup locations. Their codes are in capitals, so no code can be `new` or `edit`. */
export function Places({ address: { id, part, query } }: AreaProps) {
  if (id === undefined) return <BranchesPage query={query} />;
  if (id === 'new') return part === undefined ? <NewBranchPage /> : <NoSuchPage />;
  if (part === undefined) return <BranchPage branchCode={id} query={query} />;
  if (part === 'edit') return <EditBranchPage branchCode={id} />;
  if (part === 'new') return <NewLocationPage branchCode={id} />;
  return <LocationPage branchCode={id} pickupLocationCode={part} />;
}

const TEXTS = {
  en: {
    title: 'Branches',
    lead: 'A shipment refers to a branch and one of its pickup locations by their codes.',
    create: 'New branch',
    empty: 'You have no branch yet. Every shipment starts from a branch.',
    none: 'No branch has this status.',
    all: 'All branches',
    code: 'Code',
    name: 'Name',
    city: 'City',
    status: 'Status',
    changed: 'Changed',
  },
  ar: {
    title: 'الفروع',
    lead: 'تشير كل شحنة إلى فرع وإلى أحد مواقع استلامه برمزيهما.',
    create: 'فرع جديد',
    empty: 'ليس لديك فرع بعد. تبدأ كل شحنة من فرع.',
    none: 'لا يوجد فرع بهذه الحالة.',
    all: 'كل الفروع',
    code: 'الرمز',
    name: 'الاسم',
    city: 'المدينة',
    status: 'الحالة',
    changed: 'آخر تغيير',
  },
};

/** The branches of the company, newest first. */
export function BranchesPage({ query }: { readonly query: URLSearchParams }) {
  const text = textsOf(TEXTS);
  const status = statusOptions().find(({ value }) => value === query.get('status'))?.value;
  const cursor = query.get('cursor') ?? undefined;
  const branches = useLoaded(`branches ${status} ${cursor}`, () =>
    service.branches.list.query({
      ...(status === undefined ? {} : { status }),
      ...(cursor === undefined ? {} : { cursor }),
    }),
  );
  const create = (
    <Link to={addressOf('places/new')} class="button primary">
      {text.create}
    </Link>
  );
  return (
    <>
      <PageHead title={text.title} lead={text.lead}>
        {create}
      </PageHead>
      <div class="narrow">
        <Choice
          label={text.status}
          value={status ?? 'ALL'}
          options={[{ value: 'ALL', label: text.all }, ...statusOptions()]}
          onChange={(value) => navigate(addressOf('places', { status: value === 'ALL' ? undefined : value }))}
        />
      </div>
      <WhenLoaded loaded={branches}>
        {({ data, page }) => (
          <>
            {data.length > 0 ? (
              <Branches branches={data} />
            ) : (
              <Empty text={status === undefined ? text.empty : text.none}>{create}</Empty>
            )}
            <Pager path="places" filters={{ status }} cursor={cursor} nextCursor={page.nextCursor} />
          </>
        )}
      </WhenLoaded>
    </>
  );
}

function Branches({ branches }: { readonly branches: readonly Branch[] }) {
  const text = textsOf(TEXTS);
  const cityName = useCityNames();
  return (
    <Listing
      caption={text.title}
      rows={branches}
      keyOf={({ branchCode }) => branchCode}
      columns={[
        {
          label: text.code,
          cell: ({ branchCode }) => (
            <Link to={addressOf(`places/${branchCode}`)}>
              <Exact>{branchCode}</Exact>
            </Link>
          ),
        },
        { label: text.name, cell: (branch) => <bdi>{nameOf(branch, locale)}</bdi> },
        { label: text.city, cell: ({ cityCode }) => <bdi>{cityName(cityCode)}</bdi> },
        { label: text.status, cell: (branch) => <StatusPill status={branch.status} /> },
        { label: text.changed, isShort: true, cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
      ]}
    />
  );
}
