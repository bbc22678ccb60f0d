import { Empty } from '../kit/empty.tsx';
import { Exact } from '../kit/exact.tsx';
import { Choice } from '../kit/field.tsx';
import { Listing } from '../kit/listing.tsx';
import { Moment } from '../kit/moment.tsx';
import { PageHead } from '../kit/page-head.tsx';
import { Pager } from '../kit/pager.tsx';
import { WhenLoaded } from '../kit/when-loaded.tsx';
import { service } from '../service/service.ts';
import { useLoaded } from '../service/use-loaded.ts';
import { Link } from '../shell/link.tsx';
import { locale, textsOf } from '../shell/locale.ts';
import { addressOf, go } from '../shell/place.ts';
import { nameOf } from './place-name.ts';
import { StatusPill, statusOptions } from './place-status.tsx';
import type { Branch } from './read.ts';

const TEXTS = {
  en: {
    title: 'Branches',
    lead: 'A shipment names a branch and one of its pickup locations by their codes.',
    create: 'New branch',
    empty: 'There is no branch yet. Shipments start from one.',
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
    lead: 'تذكر كل شحنة فرعًا وأحد مواقع الاستلام التابعة له برمزيهما.',
    create: 'فرع جديد',
    empty: 'لا يوجد فرع بعد. تبدأ الشحنات من فرع.',
    none: 'لا يوجد فرع بهذه الحالة.',
    all: 'كل الفروع',
    code: 'الرمز',
    name: 'الاسم',
    city: 'المدينة',
    status: 'الحالة',
    changed: 'آخر تغيير',
  },
};

/** Every branch of the company, newest first. */
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
          onChange={(value) => go(addressOf('places', { status: value === 'ALL' ? undefined : value }))}
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
        { label: text.city, cell: ({ cityCode }) => <Exact>{cityCode}</Exact> },
        { label: text.status, cell: (branch) => <StatusPill status={branch.status} /> },
        { label: text.changed, isShort: true, cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
      ]}
    />
  );
}
