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
import { ROWS_SHOWN, UploadPages } from './upload-pages.tsx';
import { patiently } from './upload-patience.ts';
import {
  priceInTurn,
  type RoutedRow,
  type RoutePrice,
  type RoutePrices,
  routeKeyOf,
  routesOf,
  sumOfPrices,
} from './upload-prices.ts';
import { collectionsOf, requestOfRow } from './upload-request.ts';
import type { UploadRow } from './upload-rows.ts';
import type { Sheet } from './upload-state.ts';

/** More routes take longer than people wait, and are priced only if they ask for it. */
const ROUTES_UNASKED_MAX = 300;
/** Routes in a minute: the allowance of estimates, with some left for the form of a shipment. */
const ROUTES_IN_MINUTE = 500;
const TEXTS = {
  en: {
    collect: (money: string, count: number) =>
      `The drivers collect ${money} for ${count === 1 ? '1 order' : `${formatCount(count)} orders`}.`,
    collectNothing: 'The drivers collect nothing.',
    price: (total: string, net: string, vat: string) => `You pay about ${total}: ${net} plus ${vat} VAT.`,
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
  },
  ar: {
    collect: (money: string, count: number) => `يحصّل السائقون ${money}، وعدد الطلبات: ${formatCount(count)}.`,
    collectNothing: 'لا يحصّل السائقون شيئًا.',
    price: (total: string, net: string, vat: string) => `تدفع نحو ${total}: ${net} قبل الضريبة و${vat} ضريبة.`,
    priced: (count: number, total: number) => `صفوف لها سعر: ${formatCount(count)} من ${formatCount(total)}.`,
    estimated: 'تقدير الآن. تكلفة كل شحنة هي سعرها عند إنشائها.',
    pricing: 'جارٍ حساب الأسعار',
    ask: (minutes: number) => `أظهر الأسعار (المدة بالدقائق: نحو ${formatCount(minutes)})`,
    again: 'حاول مع البقية من جديد',
    list: 'سعر كل صف',
    row: 'الصف',
    reference: 'رقمك المرجعي',
    amount: 'السعر شاملًا الضريبة',
    wait: 'ليس بعد',
    noPickup: 'موقع استلام غير معروف',
  },
};

interface SummaryProps {
  readonly rows: readonly UploadRow[];
  readonly sheet: Sheet;
  readonly origins: Origins;
  /** The prices that are known already. */
  readonly prices: RoutePrices;
  readonly onPriced: (priced: readonly (readonly [routeKey: string, price: RoutePrice])[]) => void;
}

interface Summary {
  readonly routed: readonly RoutedRow[];
  readonly collections: ReturnType<typeof collectionsOf>;
  readonly routes: readonly string[];
}

/** What rows cost and what the drivers collect for them, before they are created. */
export function UploadSummary({ rows, sheet, origins, prices, onPriced }: SummaryProps) {
  const text = textsOf(TEXTS);
  const [summary, setSummary] = useState<Summary>();
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
  const routes = summary?.routes ?? [];
  const unpriced = routes.filter((routeKey) => !prices.has(routeKey)).length;
  const isPricing = summary !== undefined && failure === undefined && (isAsked || unpriced <= ROUTES_UNASKED_MAX);
  useEffect(() => {
    if (summary === undefined || !isPricing) return;
    const left = new AbortController();
    const { signal } = left;
    void priceInTurn(summary.routed, prices, {
      find: (request) => findPrice(request, signal),
      onPriced,
      signal,
    }).catch((error: unknown) => {
      if (!signal.aborted) setFailure(failureOf(error));
    });
    return () => left.abort();
  }, [summary, isPricing]);
  if (summary === undefined) return null;
  const { routed, collections } = summary;
  const isWaiting = unpriced > 0;
  // A sum that grows would be read aloud again and again.
  const sum = isPricing && isWaiting ? undefined : sumOfPrices(routed, prices);
  const collected = collections.map(({ currency, amount, count }) => text.collect(isolated(amount, currency), count));
  return (
    <section class="notice">
      <p role="status">
        {sum === undefined ? null : (
          <>
            <strong>
              {text.price(
                isolated(sum.totalAmount, sum.currency),
                isolated(sum.netAmount, sum.currency),
                isolated(sum.vatAmount, sum.currency),
              )}
            </strong>{' '}
            {sum.count < rows.length ? text.priced(sum.count, rows.length) : null}
          </>
        )}
      </p>
      <p>{collected.length === 0 ? text.collectNothing : collected.join(' ')}</p>
      {isPricing && isWaiting ? (
        <p>
          <label>
            {text.pricing} <progress max={routes.length} value={routes.length - unpriced} />
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
          {failure === undefined ? text.ask(Math.ceil(unpriced / ROUTES_IN_MINUTE)) : text.again}
        </Button>
      )}
      {unpriced === routes.length ? null : (
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
  return { routed, collections: collectionsOf(shipments), routes: routesOf(routed) };
}

/** Asks the service for the price of a route. Returns the service's reason if the route has none. */
async function findPrice(request: Inputs['priceEstimates']['create'], signal: AbortSignal): Promise<RoutePrice> {
  try {
    return { estimate: await patiently(() => service.priceEstimates.create.mutate(request), signal) };
  } catch (error) {
    const { code, title, violations } = failureOf(error);
    // These errors say nothing about the route. They end the search, and the person can start it again.
    if (code === 'NETWORK' || code === 'RATE_LIMITED' || code === 'SERVICE_UNAVAILABLE' || proofOf(error) !== undefined)
      throw error;
    const [violation] = violations;
    return { reason: violation === undefined ? title : sentenceOf(violation) };
  }
}

/** The price of each row, some rows at a time. */
function PriceList({ routed, prices }: { readonly routed: readonly RoutedRow[]; readonly prices: RoutePrices }) {
  const text = textsOf(TEXTS);
  const [from, setFrom] = useState(0);
  const shown = routed.slice(from, from + ROWS_SHOWN);
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
      <UploadPages from={from} total={routed.length} onFrom={setFrom} />
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
