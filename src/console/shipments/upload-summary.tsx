import { useEffect, useState } from 'preact/hooks';
import { formatCount, formatMoney, textsOf } from '../../ui/browser/base/locale.ts';
import { inSlices } from '../../ui/browser/base/slices.ts';
import { loadCities } from '../../ui/browser/kit/city-field.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { Listing } from '../../ui/browser/kit/listing.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { type Inputs, service } from '../../ui/browser/service/calls.ts';
import { type CallFailure, failureOf, sentenceOf } from '../../ui/browser/service/failure.ts';
import { proofOf } from '../../ui/browser/service/loading.ts';
import type { Origins } from './shipment-form.tsx';
import { patiently } from './upload-parts.ts';
import {
  priceInTurn,
  type RoutedRow,
  type RoutePrice,
  type RoutePrices,
  routeKeyOf,
  sumOfPrices,
} from './upload-prices.ts';
import { collectionsOf, requestOfRow } from './upload-request.ts';
import type { UploadRow } from './upload-rows.ts';
import type { Sheet } from './upload-state.ts';

/** More routes take longer than people wait, and are priced only if they ask for it. */
const ROUTES_UNASKED_MAX = 300;
/** Routes in a minute: the allowance of estimates, with some left for the form of a shipment. */
const ROUTES_IN_MINUTE = 500;
/** More rows would make the page slow. */
const SHOWN = 50;
const TEXTS = {
  en: {
    collect: (money: string, count: number) =>
      `The drivers collect ${money} for ${count === 1 ? '1 order' : `${formatCount(count)} orders`}.`,
    collectNothing: 'The drivers collect nothing.',
    price: (total: string, net: string, vat: string) => `You pay about ${total}: ${net} and ${vat} VAT.`,
    priced: (count: number, total: number) => `Rows with a price: ${formatCount(count)} of ${formatCount(total)}.`,
    estimated: 'Estimated now. Each shipment costs what its price is when it is created.',
    pricing: 'Looking up the prices',
    ask: (minutes: number) =>
      minutes < 2 ? 'Show the prices (about a minute)' : `Show the prices (about ${minutes} minutes)`,
    again: 'Try the others again',
    list: 'Price of each row',
    row: 'Row',
    reference: 'Your reference',
    amount: 'Price with VAT',
    wait: 'not yet',
    noPickup: 'Unknown pickup location',
    more: (from: number, to: number, total: number) =>
      `Rows ${formatCount(from)} to ${formatCount(to)} of ${formatCount(total)}`,
    next: 'Next rows',
    back: 'Rows before',
  },
  ar: {
    collect: (money: string, count: number) => `يحصّل السائقون ${money}، وعدد الطلبات: ${formatCount(count)}.`,
    collectNothing: 'لا يحصّل السائقون شيئًا.',
    price: (total: string, net: string, vat: string) => `تدفع نحو ${total}: منها ${net} وضريبة ${vat}.`,
    priced: (count: number, total: number) => `صفوف لها سعر: ${formatCount(count)} من ${formatCount(total)}.`,
    estimated: 'تقدير الآن. تكلفة كل شحنة هي سعرها عند إنشائها.',
    pricing: 'جارٍ حساب الأسعار',
    ask: (minutes: number) => (minutes < 2 ? 'أظهر الأسعار (نحو دقيقة)' : `أظهر الأسعار (نحو ${minutes} دقيقة)`),
    again: 'حاول مع البقية من جديد',
    list: 'سعر كل صف',
    row: 'الصف',
    reference: 'رقمك المرجعي',
    amount: 'السعر شاملًا الضريبة',
    wait: 'ليس بعد',
    noPickup: 'موقع استلام غير معروف',
    more: (from: number, to: number, total: number) =>
      `الصفوف ${formatCount(from)} إلى ${formatCount(to)} من ${formatCount(total)}`,
    next: 'الصفوف التالية',
    back: 'الصفوف السابقة',
  },
};

interface SummaryProps {
  readonly rows: readonly UploadRow[];
  readonly sheet: Sheet;
  readonly origins: Origins;
}

interface Summary {
  readonly routed: readonly RoutedRow[];
  readonly collections: ReturnType<typeof collectionsOf>;
  readonly routeCount: number;
}

/** What rows cost and what the drivers collect for them, before they are created. */
export function UploadSummary({ rows, sheet, origins }: SummaryProps) {
  const text = textsOf(TEXTS);
  const [summary, setSummary] = useState<Summary>();
  const [prices, setPrices] = useState<RoutePrices>(new Map());
  const [failure, setFailure] = useState<CallFailure>();
  const [isAsked, setIsAsked] = useState(false);
  useEffect(() => {
    let isHere = true;
    setSummary(undefined);
    void summaryOf(rows, sheet, origins).then((made) => {
      if (isHere) setSummary(made);
    });
    return () => {
      isHere = false;
    };
  }, [rows, sheet]);
  const isPricing =
    summary !== undefined && failure === undefined && (isAsked || summary.routeCount <= ROUTES_UNASKED_MAX);
  useEffect(() => {
    if (summary === undefined || !isPricing) return;
    const left = new AbortController();
    const { signal } = left;
    void priceInTurn(summary.routed, prices, {
      find: (request) => findPrice(request, signal),
      onPriced: (priced) => setPrices((before) => new Map([...before, ...priced])),
      signal,
    }).catch((error: unknown) => {
      if (!signal.aborted) setFailure(failureOf(error));
    });
    return () => left.abort();
  }, [summary, isPricing]);
  if (summary === undefined) return null;
  const { routed, collections, routeCount } = summary;
  const sum = sumOfPrices(routed, prices);
  const isWaiting = prices.size < routeCount;
  const collected = collections.map(({ currency, amount, count }) => text.collect(isolated(amount, currency), count));
  return (
    <section class="notice" aria-live="polite">
      {sum === undefined ? null : (
        <p>
          <strong>
            {text.price(
              isolated(sum.totalAmount, sum.currency),
              isolated(sum.netAmount, sum.currency),
              isolated(sum.vatAmount, sum.currency),
            )}
          </strong>{' '}
          {sum.count < rows.length ? text.priced(sum.count, rows.length) : null}
        </p>
      )}
      <p>{collected.length === 0 ? text.collectNothing : collected.join(' ')}</p>
      {isPricing && isWaiting ? (
        <p>
          <label>
            {text.pricing} <progress max={routeCount} value={prices.size} />
          </label>
        </p>
      ) : null}
      {failure === undefined ? null : <ProblemNotice failure={failure} />}
      {isPricing || !isWaiting ? null : (
        <Button
          onClick={() => {
            setFailure(undefined);
            setIsAsked(true);
          }}
        >
          {failure === undefined ? text.ask(Math.ceil(routeCount / ROUTES_IN_MINUTE)) : text.again}
        </Button>
      )}
      {prices.size === 0 ? null : (
        <>
          <PriceList routed={routed} prices={prices} />
          <p class="small quiet">{text.estimated}</p>
        </>
      )}
    </section>
  );
}

const isolated = (amount: string, currency: string) => `\u2068${formatMoney(amount, currency)}\u2069`;

async function summaryOf(rows: readonly UploadRow[], sheet: Sheet, origins: Origins): Promise<Summary> {
  const { defaults, payments = {}, weights = {} } = sheet;
  const basis = { defaults, payments, weights, cities: await loadCities() };
  const shipments: Inputs['shipmentBatches']['create']['items'][number]['shipment'][] = [];
  const routed: RoutedRow[] = [];
  await inSlices(rows, (row) => {
    const shipment = requestOfRow(row, basis);
    shipments.push(shipment);
    routed.push({ row, routeKey: routeKeyOf(shipment, origins) });
  });
  const routes = new Set(routed.flatMap(({ routeKey }) => routeKey ?? []));
  return { routed, collections: collectionsOf(shipments), routeCount: routes.size };
}

/** The price of a route, or the service's word why it has none. */
async function findPrice(request: Inputs['priceEstimates']['create'], signal: AbortSignal): Promise<RoutePrice> {
  try {
    return { estimate: await patiently(() => service.priceEstimates.create.mutate(request), signal) };
  } catch (error) {
    const { code, title, violations } = failureOf(error);
    // What is no fault of the route ends the search, and the others can be tried again.
    if (code === 'NETWORK' || code === 'RATE_LIMITED' || proofOf(error) !== undefined) throw error;
    const [violation] = violations;
    return { reason: violation === undefined ? title : sentenceOf(violation) };
  }
}

/** The price of each row, some rows at a time. */
function PriceList({ routed, prices }: { readonly routed: readonly RoutedRow[]; readonly prices: RoutePrices }) {
  const text = textsOf(TEXTS);
  const [from, setFrom] = useState(0);
  const shown = routed.slice(from, from + SHOWN);
  return (
    <details class="matching">
      <summary>{text.list}</summary>
      <Listing
        caption={text.list}
        rows={shown}
        keyOf={({ row }) => String(row.number)}
        columns={[
          { label: text.row, isShort: true, cell: ({ row }) => row.number },
          { label: text.reference, cell: ({ row }) => <bdi>{row.values.externalReference ?? ''}</bdi> },
          { label: text.amount, cell: ({ routeKey }) => <RowPrice routeKey={routeKey} prices={prices} /> },
        ]}
      />
      {routed.length <= SHOWN ? null : (
        <div class="actions">
          <span class="small quiet">{text.more(from + 1, from + shown.length, routed.length)}</span>
          {from === 0 ? null : <Button onClick={() => setFrom(from - SHOWN)}>{text.back}</Button>}
          {from + SHOWN >= routed.length ? null : <Button onClick={() => setFrom(from + SHOWN)}>{text.next}</Button>}
        </div>
      )}
    </details>
  );
}

function RowPrice({ routeKey, prices }: { readonly routeKey: string | undefined; readonly prices: RoutePrices }) {
  const text = textsOf(TEXTS);
  if (routeKey === undefined) return <span class="wrong">{text.noPickup}</span>;
  const price = prices.get(routeKey);
  if (price === undefined) return <span class="quiet">{text.wait}</span>;
  if ('reason' in price) return <span class="wrong">{price.reason}</span>;
  const { totalAmount, currency } = price.estimate;
  return <bdi dir="ltr">{formatMoney(totalAmount, currency)}</bdi>;
}
