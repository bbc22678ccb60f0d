import { formatDistance, formatMoney, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Listing } from '../../ui/browser/kit/listing.tsx';
import { Exact, Moment } from '../../ui/browser/kit/text.tsx';
import type { Outputs } from '../../ui/browser/service/calls.ts';

type Preview = Outputs['operations']['tariffs']['preview'];

const TEXTS = {
  en: {
    title: 'With this tariff, the last seven days',
    none: 'There was no shipment in the last seven days.',
    shipments: 'Shipments',
    since: 'since',
    before: 'Cost, without VAT',
    after: 'With this tariff',
    cutOff: (count: string) => `Only the newest ${count} shipments are counted.`,
    notServed: (count: string) =>
      `${count} shipments went to cities that this tariff does not serve. They are not in the sums.`,
    cities: 'By city',
    city: 'City',
    unserved: 'Not served',
    rises: 'Largest rises',
    shipment: 'Shipment',
    distance: 'Distance',
    rise: 'Rise',
  },
  ar: {
    title: 'الأيام السبعة الماضية بهذه التعرفة',
    none: 'لم تكن هناك شحنات في الأيام السبعة الماضية.',
    shipments: 'الشحنات',
    since: 'منذ',
    before: 'التكلفة دون الضريبة',
    after: 'بهذه التعرفة',
    cutOff: (count: string) => `حُسبت أحدث ${count} شحنة فقط.`,
    notServed: (count: string) => `عدد الشحنات إلى مدن لا تخدمها هذه التعرفة: ${count}. وهي خارج المجموع.`,
    cities: 'حسب المدينة',
    city: 'المدينة',
    unserved: 'غير مخدومة',
    rises: 'أكبر الزيادات',
    shipment: 'الشحنة',
    distance: 'المسافة',
    rise: 'الزيادة',
  },
};

/** What the last week's shipments cost, and what they would have cost with the tariff in the form. */
export function TariffPreview({ preview }: { readonly preview: Preview }) {
  const text = textsOf(TEXTS);
  const { currency, shipments, isCutOff, notServed, cities, largestRises } = preview;
  const money = (amount: string) => <bdi dir="ltr">{formatMoney(amount, currency)}</bdi>;
  return (
    <section class="part" aria-label={text.title}>
      <h2>{text.title}</h2>
      {shipments === 0 ? (
        <p>{text.none}</p>
      ) : (
        <>
          <dl class="facts">
            <div>
              <dt>{text.shipments}</dt>
              <dd>
                <Exact>{shipments}</Exact> {text.since} <Moment at={preview.from} />
              </dd>
            </div>
            <div>
              <dt>{text.before}</dt>
              <dd>{money(preview.netAmount)}</dd>
            </div>
            <div>
              <dt>{text.after}</dt>
              <dd>{money(preview.draftNetAmount)}</dd>
            </div>
          </dl>
          {isCutOff ? <p class="notice">{text.cutOff(String(shipments))}</p> : null}
          {notServed === 0 ? null : <p class="notice">{text.notServed(String(notServed))}</p>}
          <h3>{text.cities}</h3>
          <Listing
            caption={text.cities}
            rows={cities}
            keyOf={({ cityCode }) => cityCode}
            columns={[
              { label: text.city, cell: ({ cityCode }) => <Exact>{cityCode}</Exact> },
              { label: text.shipments, isShort: true, cell: (city) => <Exact>{city.shipments}</Exact> },
              { label: text.before, isShort: true, cell: ({ netAmount }) => money(netAmount) },
              {
                label: text.after,
                isShort: true,
                cell: ({ draftNetAmount }) => (draftNetAmount === null ? text.unserved : money(draftNetAmount)),
              },
            ]}
          />
        </>
      )}
      {largestRises.length === 0 ? null : (
        <>
          <h3>{text.rises}</h3>
          <Listing
            caption={text.rises}
            rows={largestRises}
            keyOf={({ shipmentId }) => shipmentId}
            columns={[
              {
                label: text.shipment,
                cell: ({ companyId, shipmentId, shipmentNumber }) => (
                  <Link to={addressOf(`shipments/${companyId}/${shipmentId}`)}>
                    <Exact>{shipmentNumber}</Exact>
                  </Link>
                ),
              },
              { label: text.city, isShort: true, cell: ({ cityCode }) => <Exact>{cityCode}</Exact> },
              {
                label: text.distance,
                isShort: true,
                cell: ({ distanceMeters }) => <bdi>{formatDistance(distanceMeters)}</bdi>,
              },
              { label: text.before, isShort: true, cell: ({ netAmount }) => money(netAmount) },
              { label: text.after, isShort: true, cell: ({ draftNetAmount }) => money(draftNetAmount) },
              { label: text.rise, isShort: true, cell: ({ rise }) => money(rise) },
            ]}
          />
        </>
      )}
    </section>
  );
}
