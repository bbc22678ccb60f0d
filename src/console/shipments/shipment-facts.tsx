import type { ComponentChildren } from 'preact';
import { formatMoney, formatRange, formatTime, locale, textsOf } from '../../ui/browser/base/locale.ts';
import type { Outputs } from '../../ui/browser/service/calls.ts';
import { PAYMENT_WORDS } from './words.ts';

type Shipment = Outputs['shipments']['get'];
export type Cod = Outputs['codCollections']['get'];

const TEXTS = {
  en: {
    recipient: 'Recipient',
    to: 'To',
    from: 'From',
    window: 'Pickup window',
    items: 'Contents',
    weight: 'Weight',
    kilograms: 'kg',
    declared: 'Declared value',
    collect: 'Amount to collect',
    requirements: 'Requirements',
    collected: 'Collected by the driver',
    methods: { CASH: 'in cash', CARD: 'by card' },
  },
  ar: {
    recipient: 'المستلم',
    to: 'إلى',
    from: 'من',
    window: 'فترة الاستلام',
    items: 'المحتويات',
    weight: 'الوزن',
    kilograms: 'كجم',
    declared: 'القيمة المصرّح بها',
    collect: 'المبلغ المطلوب تحصيله',
    requirements: 'المتطلبات',
    collected: 'حصّله السائق',
    methods: { CASH: 'نقدًا', CARD: 'بالبطاقة' },
  },
};

interface ShipmentFactsProps {
  readonly shipment: Shipment;
  /** Operators do not read it. */
  readonly cod?: Cod;
  readonly cityName: (cityCode: string) => string;
}

/** The order: recipient, addresses, items, value and payment. */
export function ShipmentFacts({ shipment, cod, cityName }: ShipmentFactsProps) {
  const text = textsOf(TEXTS);
  const { pickup, destination, currency, items, requirements } = shipment;
  return (
    <dl class="facts">
      <Fact name={text.recipient}>
        <bdi>{shipment.recipientName}</bdi> <bdi dir="ltr">{shipment.maskedRecipientPhone}</bdi>
      </Fact>
      <Fact name={text.to}>
        <bdi>{destination.addressLine}</bdi> <bdi>{cityName(destination.cityCode)}</bdi>
      </Fact>
      {pickup === null ? null : (
        <Fact name={text.from}>
          <bdi>{pickup.addressLine}</bdi> <bdi>{cityName(pickup.cityCode)}</bdi>
        </Fact>
      )}
      <Fact name={text.window}>
        <bdi>{formatRange(shipment.pickupWindowStart, shipment.pickupWindowEnd)}</bdi>
      </Fact>
      <Fact name={text.items}>
        <ul class="plain-list">
          {items.map((item, index) => (
            <li key={index}>
              <bdi>{item.quantity}</bdi> × <bdi>{item.description}</bdi>
            </li>
          ))}
        </ul>
      </Fact>
      <Fact name={text.weight}>
        <bdi dir="ltr">{shipment.totalWeightKilograms}</bdi> {text.kilograms}
      </Fact>
      <Fact name={text.declared}>
        <bdi dir="ltr">{formatMoney(shipment.declaredValue, currency)}</bdi>
      </Fact>
      <Fact name={text.collect}>
        <bdi dir="ltr">{formatMoney(shipment.codAmount, currency)}</bdi> ·{' '}
        {PAYMENT_WORDS[shipment.paymentMethod][locale]}
      </Fact>
      {cod === undefined || cod.collectedAmount === null || cod.method === null || cod.collectedAt === null ? null : (
        <Fact name={text.collected}>
          <bdi dir="ltr">{formatMoney(cod.collectedAmount, cod.currency)}</bdi> {text.methods[cod.method]} ·{' '}
          <time dateTime={cod.collectedAt}>{formatTime(cod.collectedAt)}</time>
          {cod.reference === null ? null : (
            <>
              {' '}
              · <bdi>{cod.reference}</bdi>
            </>
          )}
        </Fact>
      )}
      {requirements.length === 0 ? null : (
        <Fact name={text.requirements}>
          <bdi dir="ltr">{requirements.join(', ')}</bdi>
        </Fact>
      )}
    </dl>
  );
}

/** A name and its value in a list of facts. */
export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
