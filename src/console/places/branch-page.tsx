import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { useCityNames } from '../../ui/browser/kit/city-field.tsx';
import { Listing, Pager } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Empty, NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { Exact } from '../../ui/browser/kit/text.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import { type Branch, findBranch, nameOf, StatusButton, StatusPill, TITLE_MAX } from './place.tsx';

const TEXTS = {
  en: {
    up: 'Branches',
    edit: 'Edit',
    question: 'Deactivate this branch?',
    consequence:
      'New shipments from this branch will be refused. Existing shipments continue, and its pickup locations do not change.',
    locations: 'Pickup locations',
    create: 'New pickup location',
    empty: 'This branch has no pickup location yet.',
    code: 'Code',
    name: 'Name',
    address: 'Address',
    contact: 'Contact',
    status: 'Status',
  },
  ar: {
    up: 'الفروع',
    edit: 'تعديل',
    question: 'هل تريد إيقاف هذا الفرع؟',
    consequence: 'ستُرفض الشحنات الجديدة من هذا الفرع. أما الشحنات القائمة فتستمر، ولا تتغير مواقع استلامه.',
    locations: 'مواقع الاستلام',
    create: 'موقع استلام جديد',
    empty: 'ليس لهذا الفرع موقع استلام بعد.',
    code: 'الرمز',
    name: 'الاسم',
    address: 'العنوان',
    contact: 'جهة الاتصال',
    status: 'الحالة',
  },
};

/** One branch and its pickup locations. */
export function BranchPage({ branchCode, query }: { readonly branchCode: string; readonly query: URLSearchParams }) {
  const loaded = useLoaded(`branch ${branchCode}`, () => findBranch(branchCode).then((branch) => ({ branch })));
  return (
    <WhenLoaded loaded={loaded}>
      {({ branch }) =>
        branch === undefined ? (
          <NoSuchPage />
        ) : (
          <>
            <Head branch={branch} reload={loaded.reload} />
            <Locations branchCode={branchCode} cursor={query.get('cursor') ?? undefined} />
          </>
        )
      }
    </WhenLoaded>
  );
}

function Head({ branch, reload }: { readonly branch: Branch; readonly reload: () => void }) {
  const text = textsOf(TEXTS);
  const { branchCode, status, version, cityCode } = branch;
  const cityName = useCityNames();
  const change = (next: Branch['status']) => {
    const order = { branchCode, ifMatch: `"${version}"` };
    return next === 'ACTIVE' ? service.branches.activate.mutate(order) : service.branches.deactivate.mutate(order);
  };
  return (
    <PageHead
      title={<bdi>{nameOf(branch, locale)}</bdi>}
      isLong={nameOf(branch, locale).length > TITLE_MAX}
      up={{ to: addressOf('places'), label: text.up }}
      lead={
        <>
          <StatusPill status={status} /> <Exact>{branchCode}</Exact> · <bdi>{cityName(cityCode)}</bdi>
        </>
      }
    >
      <Link to={addressOf(`places/${branchCode}/edit`)} class="button">
        {text.edit}
      </Link>
      <StatusButton
        status={status}
        question={text.question}
        consequence={text.consequence}
        change={change}
        reload={reload}
      />
    </PageHead>
  );
}

function Locations({ branchCode, cursor }: { readonly branchCode: string; readonly cursor: string | undefined }) {
  const text = textsOf(TEXTS);
  const loaded = useLoaded(`pickup locations ${branchCode} ${cursor}`, () =>
    service.pickupLocations.list.query({ branchCode, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const path = `places/${branchCode}`;
  const create = (
    <Link to={addressOf(`${path}/new`)} class="button primary">
      {text.create}
    </Link>
  );
  return (
    <section class="part">
      <h2>{text.locations}</h2>
      <WhenLoaded loaded={loaded}>
        {({ data, page }) =>
          data.length === 0 ? (
            <Empty text={text.empty}>{create}</Empty>
          ) : (
            <>
              <Listing
                caption={text.locations}
                rows={data}
                keyOf={({ pickupLocationCode }) => pickupLocationCode}
                columns={[
                  {
                    label: text.code,
                    cell: ({ pickupLocationCode: code }) => (
                      <Link to={addressOf(`${path}/${code}`)}>
                        <Exact>{code}</Exact>
                      </Link>
                    ),
                  },
                  { label: text.name, cell: (location) => <bdi>{nameOf(location, locale)}</bdi> },
                  { label: text.address, cell: ({ location }) => <bdi>{location.addressLine}</bdi> },
                  { label: text.contact, cell: ({ contactName }) => <bdi>{contactName ?? '—'}</bdi> },
                  { label: text.status, cell: ({ status }) => <StatusPill status={status} /> },
                ]}
              />
              <Pager path={path} filters={{}} cursor={cursor} nextCursor={page.nextCursor} />
              <div class="actions">{create}</div>
            </>
          )
        }
      </WhenLoaded>
    </section>
  );
}
