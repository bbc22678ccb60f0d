import { useEffect, useState } from 'preact/hooks';
import { REQUEST_METHODS, REQUEST_SOURCES } from '../../contract/request-log-state.ts';
import { riyadhInstant, riyadhText } from '../../core/riyadh.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link, navigate } from '../../ui/browser/base/navigation.tsx';
import { Choice, Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { NUMBERED } from '../../ui/browser/kit/readers.ts';
import type { Inputs } from '../../ui/browser/service/calls.ts';
import { type CallFailure, violationAt } from '../../ui/browser/service/failure.ts';

const SHOWN = [...REQUEST_SOURCES, 'ALL'] as const;

/** The filters of the log, as in its address. A filter that is not set is empty. The service checks their form. */
export interface RequestFilters {
  /** Programs by default: the console's own reads would fill the first page. */
  readonly source: (typeof SHOWN)[number];
  readonly method: (typeof REQUEST_METHODS)[number] | '';
  readonly status: string;
  readonly operation: string;
  /** Instants in UTC. */
  readonly from: string;
  readonly to: string;
  readonly externalReference: string;
  readonly shipmentId: string;
  readonly correlationId: string;
}

/** The filters in an address. Unknown sources, methods and times are ignored. */
export function filtersIn(query: URLSearchParams): RequestFilters {
  const textOf = (name: keyof RequestFilters) => query.get(name) ?? '';
  const timeOf = (name: 'from' | 'to') => (Number.isNaN(Date.parse(textOf(name))) ? '' : textOf(name));
  return {
    source: SHOWN.find((one) => one === query.get('source')) ?? 'API',
    method: REQUEST_METHODS.find((one) => one === query.get('method')) ?? '',
    status: textOf('status'),
    operation: textOf('operation'),
    from: timeOf('from'),
    to: timeOf('to'),
    externalReference: textOf('externalReference'),
    shipmentId: textOf('shipmentId'),
    correlationId: textOf('correlationId'),
  };
}

/** The filters as parameters of the address. Those that are not set, and the default source, are empty. */
export function parametersOf({ source, ...others }: RequestFilters): Readonly<Record<string, string>> {
  return { ...others, source: source === 'API' ? '' : source };
}

/** The filters as the service takes them. */
export function requestOf({ source, method, ...texts }: RequestFilters): Inputs['requestLog']['list'] {
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== '')),
    ...(method === '' ? {} : { method }),
    ...(source === 'ALL' ? {} : { source }),
  };
}

/** Whether there are filters besides the source. */
export function isFiltered({ source: _source, ...others }: RequestFilters): boolean {
  return Object.values(others).some((value) => value !== '');
}

const TEXTS = {
  en: {
    sources: 'Sent by',
    API: 'Programs',
    CONSOLE: 'People in the console',
    ALL: 'Both',
    filters: 'Filters',
    more: 'More filters',
    status: 'Status, such as 422 or 4xx',
    method: 'Method',
    any: 'All',
    operation: 'Operation, such as shipments.create',
    from: 'From',
    to: 'Until',
    externalReference: 'Your reference',
    shipmentId: 'Shipment id',
    correlationId: 'Correlation id',
    apply: 'Apply the filters',
    clear: 'Clear',
  },
  ar: {
    sources: 'المرسل',
    API: 'البرامج',
    CONSOLE: 'الأشخاص في لوحة التحكم',
    ALL: 'الكل',
    filters: 'عوامل التصفية',
    more: 'عوامل تصفية أخرى',
    status: 'رمز الحالة، مثل 422 أو 4xx',
    method: 'طريقة الطلب',
    any: 'الكل',
    operation: 'العملية، مثل shipments.create',
    from: 'من',
    to: 'حتى',
    externalReference: 'رقمك المرجعي',
    shipmentId: 'معرّف الشحنة',
    correlationId: 'معرّف الترابط',
    apply: 'طبّق عوامل التصفية',
    clear: 'مسح',
  },
};
const STATUSES = ['2xx', '4xx', '5xx', '409', '422', '429'];

/** Whose requests are shown. Each choice is a link, so that it is in the address and in the history. */
export function SourceChoice({ filters }: { readonly filters: RequestFilters }) {
  const text = textsOf(TEXTS);
  return (
    <nav aria-label={text.sources}>
      <ul class="choices">
        {SHOWN.map((source) => (
          <li key={source}>
            <Link
              to={addressOf('requests', parametersOf({ ...filters, source }))}
              class="button"
              isCurrent={source === filters.source}
            >
              {text[source]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface FilterFormProps {
  readonly filters: RequestFilters;
  readonly failure: CallFailure | undefined;
}

/** The filters. Applying them is a new entry in the history and starts at the newest page. */
export function FilterForm({ filters, failure }: FilterFormProps) {
  const text = textsOf(TEXTS);
  const [draft, setDraft] = useState(() => draftOf(filters));
  const { from, to, externalReference, shipmentId, correlationId } = filters;
  const count = [from, to, externalReference, shipmentId, correlationId].filter((value) => value !== '').length;
  const [isOpen, setIsOpen] = useState(count > 0);
  // A link or the Back button changes the filters, too.
  useEffect(() => {
    setDraft(draftOf(filters));
    if (count > 0) setIsOpen(true);
  }, [addressOf('', parametersOf(filters))]);
  const field = (name: Exclude<keyof RequestFilters, 'source' | 'method'>) => ({
    label: text[name],
    value: draft[name],
    onChange: (value: string) => setDraft((before) => ({ ...before, [name]: value })),
    error: violationAt(failure, name),
    reads: NUMBERED,
  });
  return (
    <Form
      class="filter-form"
      search={text.filters}
      onSubmit={() => navigate(addressOf('requests', parametersOf(filtersOf(draft))))}
    >
      <div class="filters">
        <Field {...field('status')} suggestions={STATUSES} />
        <Choice
          label={text.method}
          value={draft.method}
          options={[
            { value: '' as const, label: text.any },
            ...REQUEST_METHODS.map((value) => ({ value, label: value })),
          ]}
          onChange={(method) => setDraft((before) => ({ ...before, method }))}
        />
        <Field {...field('operation')} />
      </div>
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>
          {text.more}
          {count === 0 ? null : ` (${count})`}
        </summary>
        <div class="filters">
          <Field {...field('from')} type="datetime-local" />
          <Field {...field('to')} type="datetime-local" />
          <Field {...field('externalReference')} />
          <Field {...field('shipmentId')} />
          <Field {...field('correlationId')} />
        </div>
      </details>
      <div class="actions">
        <Button type="submit">{text.apply}</Button>
        {isFiltered(filters) ? (
          <Link to={addressOf('requests', { source: parametersOf(filters)['source'] })}>{text.clear}</Link>
        ) : null}
      </div>
    </Form>
  );
}

/** The filters as people type them: with times in Riyadh. */
function draftOf({ from, to, ...others }: RequestFilters): RequestFilters {
  const local = (time: string) => (time === '' ? '' : riyadhText(Date.parse(time)));
  return { ...others, from: local(from), to: local(to) };
}

function filtersOf({ from, to, ...others }: RequestFilters): RequestFilters {
  const instant = (local: string) => (local === '' ? '' : riyadhInstant(local));
  return { ...others, from: instant(from), to: instant(to) };
}
