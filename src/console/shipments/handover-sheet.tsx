import { useEffect } from 'preact/hooks';
import { addDecimals, literalDecimal } from '../../core/decimal.ts';
import { companyNow } from '../../ui/browser/base/company-clock.ts';
import { formatMoney, formatTimeToSecond } from '../../ui/browser/base/locale.ts';
import { useCityNames } from '../../ui/browser/kit/city-field.tsx';
import { useSession } from '../session/session.tsx';
import type { ListedShipment } from './shipment-columns.tsx';

/** Arabic first, because drivers sign it, and English for the staff who prepare it. */
const HEADINGS = [
  ['م', '#'],
  ['رقم الشحنة', 'Shipment'],
  ['الرقم المرجعي', 'Reference'],
  ['المستلم', 'Recipient'],
  ['المدينة', 'City'],
  ['القطع', 'Pieces'],
  ['المبلغ المطلوب', 'Cash'],
  ['توقيع', 'Signature'],
] as const;

interface SheetProps {
  readonly shipments: readonly ListedShipment[];
  readonly onPrinted: () => void;
}

/** What a shop hands to a driver, on paper: each parcel with its pieces and its cash, the sums, and who gave and took them. */
export function HandoverSheet({ shipments, onPrinted }: SheetProps) {
  const { session } = useSession();
  const nameOf = useCityNames();
  useEffect(() => {
    addEventListener('afterprint', onPrinted, { once: true });
    print();
    return () => removeEventListener('afterprint', onPrinted);
  }, []);
  const pieces = shipments.reduce((sum, shipment) => sum + piecesOf(shipment), 0);
  const cash = Map.groupBy(shipments.filter(hasCash), ({ currency }) => currency);
  return (
    <section class="handover" lang="ar" dir="rtl">
      <h1>
        كشف تسليم الشحنات <small>Handover sheet</small>
      </h1>
      <p>
        <bdi>{session.company?.name}</bdi> · <bdi>{formatTimeToSecond(new Date(companyNow()).toISOString())}</bdi>
      </p>
      <table>
        <thead>
          <tr>
            {HEADINGS.map(([arabic, english]) => (
              <th key={english} scope="col">
                {arabic} <small>{english}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shipments.map((shipment, index) => (
            <tr key={shipment.shipmentId}>
              <td>{index + 1}</td>
              <td>
                <bdi dir="ltr">{shipment.shipmentNumber}</bdi>
              </td>
              <td>
                <bdi>{shipment.externalReference}</bdi>
              </td>
              <td>
                <bdi>{shipment.recipientName}</bdi>
              </td>
              <td>
                <bdi>{nameOf(shipment.destination.cityCode)}</bdi>
              </td>
              <td>{piecesOf(shipment)}</td>
              <td>
                {hasCash(shipment) ? <bdi dir="ltr">{formatMoney(shipment.codAmount, shipment.currency)}</bdi> : '—'}
              </td>
              <td />
            </tr>
          ))}
        </tbody>
      </table>
      <dl>
        <Sum name="الشحنات" english="Shipments" value={String(shipments.length)} />
        <Sum name="القطع" english="Pieces" value={String(pieces)} />
        {[...cash].map(([currency, some]) => (
          <Sum key={currency} name="المبلغ المطلوب" english="Cash" value={formatMoney(sumOf(some), currency)} />
        ))}
      </dl>
      <div class="signatures">
        {[
          ['سلّمها', 'Handed over by'],
          ['استلمها', 'Received by'],
        ].map(([arabic, english]) => (
          <p key={english}>
            {arabic} <small>{english}</small>
          </p>
        ))}
      </div>
    </section>
  );
}

function Sum({ name, english, value }: { readonly name: string; readonly english: string; readonly value: string }) {
  return (
    <div>
      <dt>
        {name} <small>{english}</small>
      </dt>
      <dd>
        <bdi dir="ltr">{value}</bdi>
      </dd>
    </div>
  );
}

function piecesOf({ items }: ListedShipment): number {
  return items.reduce((sum, { quantity }) => sum + quantity, 0);
}

function hasCash({ paymentMethod }: ListedShipment): boolean {
  return paymentMethod === 'COD';
}

function sumOf(shipments: readonly ListedShipment[]): string {
  const zero = literalDecimal('0');
  return shipments.reduce((sum, { codAmount }) => addDecimals(sum, literalDecimal(codAmount)), zero);
}
