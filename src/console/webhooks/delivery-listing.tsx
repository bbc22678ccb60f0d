import { textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Listing } from '../../ui/browser/kit/listing.tsx';
import { Countdown, Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { ShipmentLink, useShipmentNames } from './shipment-names.tsx';
import { type Delivery, DeliveryPill } from './words.tsx';

const TEXTS = {
  en: {
    caption: 'Deliveries',
    event: 'Event',
    status: 'Status',
    attempts: 'Attempts',
    at: 'Created',
    endpoint: 'Endpoint',
    shipment: 'Shipment',
    next: 'next attempt in',
    due: 'next attempt now',
    replay: 'replay',
    none: 'There are no deliveries yet.',
  },
  ar: {
    caption: 'عمليات التسليم',
    event: 'الحدث',
    status: 'الحالة',
    attempts: 'المحاولات',
    at: 'وقت الإنشاء',
    endpoint: 'نقطة الاستقبال',
    shipment: 'الشحنة',
    next: 'المحاولة القادمة بعد',
    due: 'المحاولة القادمة الآن',
    replay: 'إعادة إرسال',
    none: 'لا توجد عمليات تسليم بعد.',
  },
};

interface DeliveryListingProps {
  readonly deliveries: readonly Delivery[];
  /** The addresses of endpoints by id. Omit it on the page of a single endpoint. */
  readonly urls?: ReadonlyMap<string, string>;
}

/** A table of deliveries, newest first. */
export function DeliveryListing({ deliveries, urls }: DeliveryListingProps) {
  const text = textsOf(TEXTS);
  const names = useShipmentNames(deliveries);
  if (deliveries.length === 0) return <p class="quiet">{text.none}</p>;
  const endpoint = {
    label: text.endpoint,
    cell: ({ endpointId }: Delivery) => <bdi dir="ltr">{urls?.get(endpointId) ?? endpointId}</bdi>,
  };
  return (
    <Listing
      caption={text.caption}
      rows={deliveries}
      keyOf={({ deliveryId }) => deliveryId}
      columns={[
        {
          label: text.event,
          isShort: true,
          cell: ({ deliveryId, eventType, replayOf }) => (
            <>
              <Link to={addressOf(`webhooks/deliveries/${deliveryId}`)}>
                <Exact>{eventType}</Exact>
              </Link>{' '}
              {replayOf === null ? null : <span class="quiet">({text.replay})</span>}
            </>
          ),
        },
        {
          label: text.shipment,
          cell: ({ shipmentId }) =>
            shipmentId === null ? null : <ShipmentLink shipmentId={shipmentId} name={names.get(shipmentId)} />,
        },
        {
          label: text.status,
          cell: ({ status, nextAttemptAt }) => (
            <>
              <DeliveryPill status={status} />{' '}
              {status !== 'RETRYING' || nextAttemptAt === null ? null : (
                <span class="quiet">
                  <Countdown until={nextAttemptAt} label={text.next} over={text.due} />
                </span>
              )}
            </>
          ),
        },
        { label: text.attempts, isShort: true, cell: ({ attemptCount }) => attemptCount },
        ...(urls === undefined ? [] : [endpoint]),
        { label: text.at, isShort: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
      ]}
    />
  );
}
