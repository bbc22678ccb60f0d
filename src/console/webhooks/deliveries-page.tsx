import { PageHead } from '../kit/page-head.tsx';
import { Pager } from '../kit/pager.tsx';
import { WhenLoaded } from '../kit/when-loaded.tsx';
import { service } from '../service/service.ts';
import { useEvery } from '../service/use-every.ts';
import { useLoaded } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';
import { addressOf } from '../shell/place.ts';
import { FilterBar, readFilters } from './delivery-filters.tsx';
import { DeliveryListing } from './delivery-listing.tsx';

const TEXTS = {
  en: { title: 'Delivery log', up: 'Webhooks', lead: 'The last 30 days, newest first.' },
  ar: { title: 'سجل التسليم', up: 'الإشعارات البرمجية', lead: 'آخر 30 يومًا، الأحدث أولًا.' },
};
const REFRESH_MS = 5_000;

/** What was sent, to whom, and what came of it. The address has the filters. */
export function DeliveriesPage({ query }: { readonly query: URLSearchParams }) {
  const text = textsOf(TEXTS);
  const filters = readFilters(query);
  const cursor = query.get('cursor') ?? undefined;
  const endpoints = useLoaded('webhook endpoints', () => service.webhookEndpoints.list.query({}));
  const deliveries = useLoaded(addressOf('', { ...filters, cursor }), () =>
    service.webhookDeliveries.list.query({ ...filters, ...(cursor === undefined ? {} : { cursor }) }),
  );
  // Only the newest page changes by itself.
  useEvery(REFRESH_MS, deliveries.reload, !(deliveries.isLoading || cursor !== undefined));
  const known = endpoints.value?.data ?? [];
  const urls = new Map(known.map(({ endpointId, url }) => [endpointId, url]));
  return (
    <>
      <PageHead title={text.title} lead={text.lead} up={{ to: addressOf('webhooks'), label: text.up }} />
      <FilterBar key={filters.shipmentId} filters={filters} endpoints={known} />
      <WhenLoaded loaded={deliveries}>
        {({ data, page }) => (
          <>
            <DeliveryListing deliveries={data} urls={urls} />
            <Pager path="webhooks/deliveries" filters={{ ...filters }} cursor={cursor} nextCursor={page.nextCursor} />
          </>
        )}
      </WhenLoaded>
    </>
  );
}
