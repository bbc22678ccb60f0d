import { useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { type AreaProps, addressOf, Link, navigate } from '../../ui/browser/base/navigation.tsx';
import { Choice } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { Listing, Pager } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Empty, NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { Exact } from '../../ui/browser/kit/text.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import { CityBoard } from './city-board.tsx';
import { DriverPage, NewDriverPage } from './driver-page.tsx';
import { CityCodeField, DutyPill, FleetPill, fleetStatusOptions, LastSeen } from './fleet-words.tsx';
import { InShard, ShardChoice } from './shard.tsx';

type Driver = Outputs['operations']['drivers']['get'];

/** The drivers of a shard, and the board of a city. The id of a driver is never `new` or `board`. */
export function Drivers({ address: { id, part, query } }: AreaProps) {
  if (part !== undefined) return <NoSuchPage />;
  if (id === 'board') return <CityBoard query={query} />;
  return (
    <InShard named={query.get('shard')}>
      {(shard, shards) => {
        if (id === undefined) return <DriversPage shard={shard} shards={shards} query={query} />;
        return id === 'new' ? <NewDriverPage shard={shard} /> : <DriverPage shard={shard} driverId={id} />;
      }}
    </InShard>
  );
}

const TEXTS = {
  en: {
    title: 'Drivers',
    lead: 'Where each driver was last seen, and how much room each of them has.',
    create: 'New driver',
    empty: 'No driver matches. Add the first driver of this city.',
    city: 'City code',
    status: 'Status',
    all: 'All drivers',
    find: 'Show',
    name: 'Name',
    phone: 'Phone',
    duty: 'Duty',
    load: 'Shipments',
    seen: 'Position',
    board: 'City board',
    search: 'Choose drivers',
  },
  ar: {
    title: 'السائقون',
    lead: 'آخر موقع معروف لكل سائق، وما تبقى لديه من سعة.',
    create: 'سائق جديد',
    empty: 'لا يوجد سائق مطابق. أضف أول سائق في هذه المدينة.',
    city: 'رمز المدينة',
    status: 'الحالة',
    all: 'كل السائقين',
    find: 'اعرض',
    name: 'الاسم',
    phone: 'الجوال',
    duty: 'المناوبة',
    load: 'الشحنات',
    seen: 'الموقع',
    board: 'لوحة المدينة',
    search: 'اختيار السائقين',
  },
};

interface DriversPageProps {
  readonly shard: string;
  readonly shards: readonly string[];
  readonly query: URLSearchParams;
}

function DriversPage({ shard, shards, query }: DriversPageProps) {
  const text = textsOf(TEXTS);
  const cityCode = query.get('city') ?? '';
  const status = fleetStatusOptions().find(({ value }) => value === query.get('status'))?.value;
  const cursor = query.get('cursor') ?? undefined;
  const loaded = useLoaded(`drivers ${shard} ${cityCode} ${status} ${cursor}`, () =>
    service.operations.drivers.list.query({
      shard,
      ...(cityCode === '' ? {} : { cityCode }),
      ...(status === undefined ? {} : { status }),
      ...(cursor === undefined ? {} : { cursor }),
    }),
  );
  const create = (
    <Link to={addressOf('drivers/new', { shard })} class="button primary">
      {text.create}
    </Link>
  );
  const filters = { shard, city: cityCode, status };
  return (
    <>
      <PageHead title={text.title} lead={text.lead}>
        <Link to={addressOf('drivers/board', { city: cityCode })} class="button">
          {text.board}
        </Link>
        {create}
      </PageHead>
      <ShardChoice path="drivers" shard={shard} shards={shards} />
      <Filters key={`${shard} ${cityCode} ${status}`} {...filters} />
      <WhenLoaded loaded={loaded}>
        {({ data, page }) => (
          <>
            {data.length === 0 ? <Empty text={text.empty}>{create}</Empty> : <Board drivers={data} shard={shard} />}
            <Pager path="drivers" filters={filters} cursor={cursor} nextCursor={page.nextCursor} />
          </>
        )}
      </WhenLoaded>
    </>
  );
}

interface FiltersProps {
  readonly shard: string;
  readonly city: string;
  readonly status: 'ACTIVE' | 'INACTIVE' | undefined;
}

function Filters({ shard, city: known, status }: FiltersProps) {
  const text = textsOf(TEXTS);
  const [city, setCity] = useState(known);
  return (
    <Form class="form" search={text.search} onSubmit={() => navigate(addressOf('drivers', { shard, city, status }))}>
      <div class="pair">
        <CityCodeField label={text.city} value={city} onChange={setCity} />
        <Choice
          label={text.status}
          value={status ?? 'ALL'}
          options={[{ value: 'ALL', label: text.all }, ...fleetStatusOptions()]}
          onChange={(value) =>
            navigate(addressOf('drivers', { shard, city, status: value === 'ALL' ? undefined : value }))
          }
        />
      </div>
      <div class="actions">
        <Button type="submit">{text.find}</Button>
      </div>
    </Form>
  );
}

function Board({ drivers, shard }: { readonly drivers: readonly Driver[]; readonly shard: string }) {
  const text = textsOf(TEXTS);
  return (
    <Listing
      caption={text.title}
      rows={drivers}
      keyOf={({ driverId }) => driverId}
      columns={[
        {
          label: text.name,
          cell: ({ driverId, firstName }) => (
            <Link to={addressOf(`drivers/${driverId}`, { shard })}>
              <bdi>{firstName}</bdi>
            </Link>
          ),
        },
        { label: text.phone, isShort: true, cell: ({ maskedPhone }) => <Exact>{maskedPhone}</Exact> },
        { label: text.city, isShort: true, cell: ({ cityCode }) => <Exact>{cityCode}</Exact> },
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
      ]}
    />
  );
}
