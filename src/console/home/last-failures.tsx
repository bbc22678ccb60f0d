import { Pill } from '../../ui/pill.tsx';
import { STATE_WORDS } from '../../ui/shipment-words.ts';
import type { Outputs } from '../service/service.ts';
import { Link } from '../shell/link.tsx';
import { formatTime, locale, textsOf } from '../shell/locale.ts';
import { addressOf } from '../shell/place.ts';

const TEXTS = {
  en: {
    title: 'Last failures',
    none: 'None. Everything that ended, ended well.',
    unsent: 'Webhook not delivered',
    webhooks: 'Webhooks',
  },
  ar: {
    title: 'آخر الإخفاقات',
    none: 'لا شيء. كل ما انتهى انتهى بخير.',
    unsent: 'إشعار لم يُسلَّم',
    webhooks: 'الإشعارات البرمجية',
  },
};
const SHOWN = 6;

interface FailuresProps {
  readonly shipments: readonly Outputs['shipments']['list']['data'][number][];
  readonly deliveries: readonly Outputs['webhookDeliveries']['list']['data'][number][];
}

/** What somebody may have to look after, newest first. */
export function LastFailures({ shipments, deliveries }: FailuresProps) {
  const text = textsOf(TEXTS);
  const newest = [
    ...shipments.map((shipment) => ({ kind: 'shipment' as const, at: shipment.createdAt, shipment })),
    ...deliveries.map((delivery) => ({ kind: 'delivery' as const, at: delivery.createdAt, delivery })),
  ]
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .slice(0, SHOWN);
  return (
    <section>
      <h2>{text.title}</h2>
      {newest.length === 0 ? <p class="quiet">{text.none}</p> : null}
      <ul class="failures">
        {newest.map((failure) =>
          failure.kind === 'shipment' ? (
            <li key={failure.shipment.shipmentId}>
              <Pill tone="bad">{STATE_WORDS[failure.shipment.state].label[locale]}</Pill>
              <Link to={addressOf(`shipments/${failure.shipment.shipmentId}`)}>
                <bdi dir="ltr">{failure.shipment.shipmentNumber}</bdi>
              </Link>
              <bdi class="reference small">{failure.shipment.externalReference}</bdi>
              <time class="small quiet" dateTime={failure.at}>
                {formatTime(failure.at)}
              </time>
            </li>
          ) : (
            <li key={failure.delivery.deliveryId}>
              <Pill tone="bad">{text.unsent}</Pill>
              <Link to={addressOf(`webhooks/deliveries/${failure.delivery.deliveryId}`)}>{text.webhooks}</Link>
              <bdi dir="ltr" class="reference small">
                {failure.delivery.eventType}
              </bdi>
              <time class="small quiet" dateTime={failure.at}>
                {formatTime(failure.at)}
              </time>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}
