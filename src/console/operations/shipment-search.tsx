import { useState } from 'preact/hooks';
import { riyadhInstant, riyadhText } from '../../core/riyadh.ts';
import { serviceNow } from '../../ui/browser/base/company-clock.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { type AreaProps, addressOf, Link, navigate } from '../../ui/browser/base/navigation.tsx';
import { Choice, Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { Pager } from '../../ui/browser/kit/listing.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Empty, PageHead } from '../../ui/browser/kit/page.tsx';
import { CODE, DIGITS, NUMBERED, REFERENCE } from '../../ui/browser/kit/readers.ts';
import { service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import { ShipmentListing } from './shipment-listing.tsx';
import { OperatorShipmentPage } from './shipment-page.tsx';

/** The search, and one shipment below its company. */
export function OperatorShipments({ address: { id, part, query } }: AreaProps) {
  if (id !== undefined && part !== undefined) return <OperatorShipmentPage companyId={id} shipmentId={part} />;
  return <Search query={query} companyId={id ?? query.get('company') ?? ''} />;
}

const TEXTS = {
  en: {
    title: 'Shipments',
    lead: 'Find a shipment of any company.',
    by: 'Search by',
    shipmentNumber: 'Shipment number',
    externalReference: 'The company’s reference',
    phoneTail: 'Last four digits of the recipient’s phone',
    from: 'Created from',
    to: 'Created until',
    timeHint: 'At most 24 hours, or 31 days of one company.',
    companyId: 'Company id',
    optional: 'Optional.',
    find: 'Search',
    none: 'No shipment matches.',
    again: 'Go to the queues',
    results: 'Results',
  },
  ar: {
    title: 'الشحنات',
    lead: 'ابحث عن شحنة لأي شركة.',
    by: 'البحث بـ',
    shipmentNumber: 'رقم الشحنة',
    externalReference: 'الرقم المرجعي للشركة',
    phoneTail: 'آخر أربعة أرقام من جوال المستلم',
    from: 'أُنشئت من',
    to: 'أُنشئت حتى',
    timeHint: '24 ساعة على الأكثر، أو 31 يومًا لشركة واحدة.',
    companyId: 'معرّف الشركة',
    optional: 'اختياري.',
    find: 'ابحث',
    none: 'لا توجد شحنة مطابقة.',
    again: 'إلى قوائم الانتظار',
    results: 'النتائج',
  },
};

const KEYS = ['shipmentNumber', 'externalReference', 'phoneTail'] as const;
type Key = (typeof KEYS)[number];
const READERS = { shipmentNumber: CODE, externalReference: REFERENCE, phoneTail: DIGITS };

interface SearchDraft {
  readonly by: Key;
  readonly text: string;
  /** Riyadh times; only a search by phone needs them. */
  readonly from: string;
  readonly to: string;
  readonly companyId: string;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function draftIn(query: URLSearchParams, companyId: string): SearchDraft {
  // A field of time has no seconds, so the present minute would be missing.
  const endMs = serviceNow() + MINUTE_MS;
  return {
    by: KEYS.find((key) => key === query.get('by')) ?? 'shipmentNumber',
    text: query.get('text') ?? '',
    from: query.get('from') ?? riyadhText(endMs - DAY_MS),
    to: query.get('to') ?? riyadhText(endMs),
    companyId,
  };
}

/** The search stays in the address, so that people can go back to its results. */
function filtersOf({ by, text, from, to, companyId }: SearchDraft) {
  return { by, text, company: companyId, ...(by === 'phoneTail' ? { from, to } : {}) };
}

function requestOf({ by, text, from, to, companyId }: SearchDraft) {
  const time = by === 'phoneTail' ? { createdFrom: riyadhInstant(from), createdTo: riyadhInstant(to) } : {};
  return { [by]: text, ...time, ...(companyId === '' ? {} : { companyId }) };
}

function Search({ query, companyId }: { readonly query: URLSearchParams; readonly companyId: string }) {
  const text = textsOf(TEXTS);
  const asked = draftIn(query, companyId);
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <SearchForm key={query.toString()} start={asked} />
      {asked.text === '' ? null : <Results asked={asked} cursor={query.get('cursor') ?? undefined} />}
    </>
  );
}

function SearchForm({ start }: { readonly start: SearchDraft }) {
  const text = textsOf(TEXTS);
  const [draft, setDraft] = useState(start);
  const set = (change: Partial<SearchDraft>) => setDraft({ ...draft, ...change });
  return (
    <Form
      class="form"
      search={text.title}
      onSubmit={() => {
        if (draft.text !== '') navigate(addressOf('shipments', filtersOf(draft)));
      }}
    >
      <div class="pair">
        <Choice
          label={text.by}
          value={draft.by}
          options={KEYS.map((value) => ({ value, label: text[value] }))}
          onChange={(by) => set({ by })}
        />
        <Field
          label={text[draft.by]}
          value={draft.text}
          onChange={(typed) => set({ text: typed })}
          reads={READERS[draft.by]}
        />
      </div>
      {draft.by === 'phoneTail' ? (
        <div class="pair">
          <Field
            label={text.from}
            hint={text.timeHint}
            type="datetime-local"
            value={draft.from}
            onChange={(from) => set({ from })}
            dir="ltr"
          />
          <Field label={text.to} type="datetime-local" value={draft.to} onChange={(to) => set({ to })} dir="ltr" />
        </div>
      ) : null}
      <Field
        label={text.companyId}
        hint={text.optional}
        value={draft.companyId}
        onChange={(companyId) => set({ companyId })}
        reads={NUMBERED}
      />
      <div class="actions">
        <Button type="submit" kind="primary">
          {text.find}
        </Button>
      </div>
    </Form>
  );
}

interface ResultsProps {
  readonly asked: SearchDraft;
  readonly cursor: string | undefined;
}

function Results({ asked, cursor }: ResultsProps) {
  const text = textsOf(TEXTS);
  const filters = filtersOf(asked);
  const loaded = useLoaded(addressOf('shipments', { ...filters, cursor }), () =>
    service.operations.shipments.search.query({ ...requestOf(asked), ...(cursor === undefined ? {} : { cursor }) }),
  );
  return (
    <section class="part">
      <h2>{text.results}</h2>
      <WhenLoaded loaded={loaded}>
        {({ data, page }) => (
          <>
            {data.length === 0 ? (
              <Empty text={text.none}>
                <Link to={addressOf('')}>{text.again}</Link>
              </Empty>
            ) : (
              <ShipmentListing caption={text.results} shipments={data} onChanged={loaded.reload} />
            )}
            <Pager path="shipments" filters={filters} cursor={cursor} nextCursor={page.nextCursor} isOldestFirst />
          </>
        )}
      </WhenLoaded>
    </section>
  );
}
