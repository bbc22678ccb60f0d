import { useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link, navigate } from '../../ui/browser/base/navigation.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { Listing, Pager } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Empty, PageHead } from '../../ui/browser/kit/page.tsx';
import { Exact } from '../../ui/browser/kit/text.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import { CityCodeField, DutyPill, FleetPill, LastSeen } from './fleet-words.tsx';

type BoardDriver = Outputs['operations']['drivers']['board']['data'][number];

const TEXTS = {
  en: {
    title: 'City board',
    lead: 'The drivers of a city in all shards: where and when each was last seen, and how much room is left.',
    up: 'Drivers',
    city: 'City code',
    show: 'Show',
    refresh: 'Refresh',
    search: 'Choose a city',
    choose: 'Enter the code of a city, such as RUH.',
    empty: 'No driver is in this city.',
    name: 'Name',
    phone: 'Phone',
    duty: 'Duty',
    load: 'Shipments',
    seen: 'Position',
    shard: 'Shard',
  },
  ar: {
    title: 'لوحة المدينة',
    lead: 'سائقو المدينة في كل شرائح البيانات: أين شوهد كل منهم آخر مرة ومتى، وما تبقى لديه من سعة.',
    up: 'السائقون',
    city: 'رمز المدينة',
    show: 'اعرض',
    refresh: 'تحديث',
    search: 'اختيار المدينة',
    choose: 'أدخل رمز مدينة، مثل RUH.',
    empty: 'لا يوجد سائق في هذه المدينة.',
    name: 'الاسم',
    phone: 'الجوال',
    duty: 'المناوبة',
    load: 'الشحنات',
    seen: 'الموقع',
    shard: 'شريحة البيانات',
  },
};
const PATH = 'drivers/board';

/** The drivers of a city in all shards. */
export function CityBoard({ query }: { readonly query: URLSearchParams }) {
  const text = textsOf(TEXTS);
  const city = query.get('city') ?? '';
  return (
    <>
      <PageHead title={text.title} up={{ to: addressOf('drivers'), label: text.up }} lead={text.lead} />
      <CityForm key={city} city={city} />
      {city === '' ? (
        <p class="quiet">{text.choose}</p>
      ) : (
        <Board city={city} cursor={query.get('cursor') ?? undefined} />
      )}
    </>
  );
}

function CityForm({ city }: { readonly city: string }) {
  const text = textsOf(TEXTS);
  const [typed, setTyped] = useState(city);
  const show = () => navigate(addressOf(PATH, { city: typed }));
  return (
    <Form search={text.search} onSubmit={show}>
      <CityCodeField label={text.city} value={typed} onChange={setTyped} />
      <div class="actions">
        <Button type="submit">{text.show}</Button>
      </div>
    </Form>
  );
}

function Board({ city, cursor }: { readonly city: string; readonly cursor: string | undefined }) {
  const text = textsOf(TEXTS);
  const loaded = useLoaded(`board ${city} ${cursor}`, () =>
    service.operations.drivers.board.query({ cityCode: city, ...(cursor === undefined ? {} : { cursor }) }),
  );
  return (
    <>
      <div class="actions">
        <Button isBusy={loaded.isLoading} onClick={loaded.reload}>
          {text.refresh}
        </Button>
      </div>
      <WhenLoaded loaded={loaded}>
        {({ data, page }) => (
          <>
            {data.length === 0 ? <Empty text={text.empty} /> : <Rows drivers={data} />}
            <Pager path={PATH} filters={{ city }} cursor={cursor} nextCursor={page.nextCursor} />
          </>
        )}
      </WhenLoaded>
    </>
  );
}

function Rows({ drivers }: { readonly drivers: readonly BoardDriver[] }) {
  const text = textsOf(TEXTS);
  return (
    <Listing
      caption={text.title}
      rows={drivers}
      keyOf={({ driverId }) => driverId}
      columns={[
        {
          label: text.name,
          cell: ({ driverId, firstName, shard }) => (
            <Link to={addressOf(`drivers/${driverId}`, { shard })}>
              <bdi>{firstName}</bdi>
            </Link>
          ),
        },
        { label: text.phone, isShort: true, cell: ({ maskedPhone }) => <Exact>{maskedPhone}</Exact> },
        {
          label: text.duty,
          cell: ({ status, ...duty }) => (
            <>
              <DutyPill {...duty} />
              {status === 'ACTIVE' ? null : <FleetPill status={status} />}
            </>
          ),
        },
        {
          label: text.load,
          isShort: true,
          cell: ({ activeCount, activeMax }) => <bdi dir="ltr">{`${activeCount} / ${activeMax}`}</bdi>,
        },
        { label: text.seen, cell: ({ position }) => <LastSeen position={position} /> },
        { label: text.shard, isShort: true, cell: ({ shard }) => <Exact>{shard}</Exact> },
      ]}
    />
  );
}
