import { useEffect, useRef, useState } from 'preact/hooks';
import { PAYMENT_METHODS, SHIPMENT_STATES, type ShipmentState } from '../../contract/shipment-state.ts';
import { riyadhInstant } from '../../core/riyadh.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link, navigate } from '../../ui/browser/base/navigation.tsx';
import { loadCities, nameOf } from '../../ui/browser/kit/city-field.tsx';
import { Checks, Choice, Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form, focusFirstInvalid } from '../../ui/browser/kit/form.tsx';
import type { Inputs } from '../../ui/browser/service/calls.ts';
import { type CallFailure, violationAt } from '../../ui/browser/service/failure.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import { STATE_WORDS } from '../../ui/state.tsx';
import { PAYMENT_WORDS } from './words.ts';

/** The filters of the list, as they are in its address. Dates are local days such as `2026-01-31`. */
export interface Filters {
  readonly q: string;
  readonly state: readonly ShipmentState[];
  readonly createdFrom: string;
  readonly createdTo: string;
  readonly cityCode: string;
  readonly paymentMethod: '' | (typeof PAYMENT_METHODS)[number];
  /** `blocked`: no driver gets them until their National Address is valid. */
  readonly address: '' | typeof BLOCKED;
  readonly externalReference: string;
}
const BLOCKED = 'blocked';

/** The filters in an address. What is not known is ignored. */
export function filtersIn(query: URLSearchParams): Filters {
  const textOf = (name: keyof Filters) => query.get(name) ?? '';
  const dayOf = (name: keyof Filters) => (startOf(textOf(name)) === undefined ? '' : textOf(name));
  const states = textOf('state').split(',');
  return {
    q: textOf('q'),
    state: SHIPMENT_STATES.filter((state) => states.includes(state)),
    createdFrom: dayOf('createdFrom'),
    createdTo: dayOf('createdTo'),
    cityCode: textOf('cityCode'),
    paymentMethod: PAYMENT_METHODS.find((method) => method === textOf('paymentMethod')) ?? '',
    address: textOf('address') === BLOCKED ? BLOCKED : '',
    externalReference: textOf('externalReference'),
  };
}

/** The filters as parameters of the address of the list. */
export function parametersOf({ state, ...others }: Filters): Readonly<Record<string, string>> {
  return { ...others, state: state.join() };
}

/** The filters as the service takes them. The last day is included. */
export function requestOfFilters(filters: Filters): Inputs['shipments']['list'] {
  const { createdFrom, createdTo, paymentMethod, address, ...texts } = parametersOf(filters);
  const method = PAYMENT_METHODS.find((known) => known === paymentMethod);
  const [from, to] = [startOf(createdFrom ?? ''), startOf(createdTo ?? '', 1)];
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== '')),
    ...(method === undefined ? {} : { paymentMethod: method }),
    ...(address === BLOCKED ? { address: BLOCKED } : {}),
    ...(from === undefined ? {} : { createdFrom: from }),
    ...(to === undefined ? {} : { createdTo: to }),
  };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 24 * 3_600_000;

/** The instant at which a day begins in Riyadh, or that of a later one. */
function startOf(day: string, daysLater = 0): string | undefined {
  const startMs = DAY.test(day) ? Date.parse(riyadhInstant(`${day}T00:00`)) : Number.NaN;
  return Number.isNaN(startMs) ? undefined : new Date(startMs + daysLater * DAY_MS).toISOString();
}

const TEXTS = {
  en: {
    label: 'Search',
    q: 'Search',
    hint: 'The start of a reference or number, a mobile or its last four digits, or a name.',
    find: 'Search',
    short: 'Type at least two characters.',
    more: 'Filters',
    state: 'State',
    from: 'Created from',
    to: 'Created until',
    order: 'The end must be after the beginning.',
    city: 'City',
    everyCity: 'All cities',
    payment: 'Payment',
    everyPayment: 'All payments',
    address: 'National Address',
    everyAddress: 'All shipments',
    blocked: 'Held back until it is valid',
    reference: 'Only the reference',
    apply: 'Apply the filters',
    clear: 'Show all shipments',
  },
  ar: {
    label: 'البحث',
    q: 'البحث',
    hint: 'بداية رقمك المرجعي أو رقم الشحنة، أو الجوال أو آخر أربعة أرقام منه، أو اسم.',
    find: 'ابحث',
    short: 'اكتب حرفين على الأقل.',
    more: 'التصفية',
    state: 'الحالة',
    from: 'أُنشئت من',
    to: 'أُنشئت حتى',
    order: 'يجب أن تكون النهاية بعد البداية.',
    city: 'المدينة',
    everyCity: 'كل المدن',
    payment: 'طريقة الدفع',
    everyPayment: 'كل طرق الدفع',
    address: 'العنوان الوطني',
    everyAddress: 'كل الشحنات',
    blocked: 'موقوفة حتى يُصحّح',
    reference: 'الرقم المرجعي فقط',
    apply: 'طبّق التصفية',
    clear: 'اعرض كل الشحنات',
  },
};

/** Whether the list would be asked for one character. The service refuses that. */
export function isTooShort({ q }: Filters): boolean {
  return q.length === 1;
}

/** The faults that are shown at their fields. */
const AT_FIELDS = ['q', 'createdTo', 'cityCode'];

export function isAtFields({ violations }: CallFailure): boolean {
  return violations.length > 0 && violations.every(({ field }) => AT_FIELDS.includes(field));
}

interface FiltersProps {
  readonly filters: Filters;
  readonly columns: string;
  /** Why the service refused the list with these filters. */
  readonly failure: CallFailure | undefined;
}

/** The search and the filters of the list. Both are in the address, so that people can share and save it. */
export function ShipmentFilters({ filters, columns, failure }: FiltersProps) {
  const text = textsOf(TEXTS);
  const [draft, setDraft] = useState(filters);
  const [isSent, setIsSent] = useState(isTooShort(filters));
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (failure !== undefined && form.current !== null && isAtFields(failure)) focusFirstInvalid(form.current);
  }, [failure]);
  const set = (changes: Partial<Filters>) => setDraft((before) => ({ ...before, ...changes }));
  const { q, externalReference, ...others } = parametersOf(filters);
  const count = Object.values(others).filter((value) => value !== '').length;
  const [isOpen, setIsOpen] = useState(count > 0);
  const isFiltered = count > 0 || q !== '' || externalReference !== '';
  return (
    <Form
      class="finder"
      search={text.label}
      formRef={form}
      onSubmit={(sent) => {
        setIsSent(true);
        if (isTooShort(draft)) focusFirstInvalid(sent);
        else navigate(addressOf('shipments', { ...parametersOf(draft), columns }));
      }}
    >
      <div class="search">
        <Field
          label={text.q}
          hint={text.hint}
          error={isSent && isTooShort(draft) ? text.short : violationAt(failure, 'q')}
          type="search"
          value={draft.q}
          onChange={(value) => set({ q: value })}
        />
        <Button type="submit">{text.find}</Button>
      </div>
      {externalReference === '' ? null : (
        <p>
          {text.reference}{' '}
          <bdi>
            <strong>{externalReference}</strong>
          </bdi>
        </p>
      )}
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>
          {text.more}
          {count === 0 ? null : ` (${count})`}
        </summary>
        {isOpen ? <MoreFilters draft={draft} set={set} failure={failure} /> : null}
      </details>
      {isFiltered ? <Link to={addressOf('shipments')}>{text.clear}</Link> : null}
    </Form>
  );
}

interface MoreProps {
  readonly draft: Filters;
  readonly set: (changes: Partial<Filters>) => void;
  readonly failure: CallFailure | undefined;
}

function MoreFilters({ draft, set, failure }: MoreProps) {
  const text = textsOf(TEXTS);
  const cities = useLoaded('cities', loadCities).value ?? [];
  // An address may name a city that the tariff no longer has.
  const isUnknown = draft.cityCode !== '' && !cities.some(({ cityCode }) => cityCode === draft.cityCode);
  return (
    <>
      <Checks
        label={text.state}
        options={SHIPMENT_STATES.map((state) => ({ value: state, label: STATE_WORDS[state].label[locale] }))}
        values={draft.state}
        onChange={(state) => set({ state })}
      />
      <div class="pair">
        <Field
          label={text.from}
          type="date"
          dir="ltr"
          value={draft.createdFrom}
          onChange={(createdFrom) => set({ createdFrom })}
        />
        <Field
          label={text.to}
          type="date"
          dir="ltr"
          value={draft.createdTo}
          error={violationAt(failure, 'createdTo') === undefined ? undefined : text.order}
          onChange={(createdTo) => set({ createdTo })}
        />
      </div>
      <div class="pair">
        <Choice
          label={text.city}
          value={draft.cityCode}
          error={violationAt(failure, 'cityCode')}
          options={[
            { value: '', label: text.everyCity },
            ...(isUnknown ? [{ value: draft.cityCode, label: draft.cityCode }] : []),
            ...cities.map((city) => ({ value: city.cityCode, label: `${nameOf(city)} (${city.cityCode})` })),
          ]}
          onChange={(cityCode) => set({ cityCode })}
        />
        <Choice
          label={text.payment}
          value={draft.paymentMethod}
          options={[
            { value: '' as const, label: text.everyPayment },
            ...PAYMENT_METHODS.map((method) => ({ value: method, label: PAYMENT_WORDS[method][locale] })),
          ]}
          onChange={(paymentMethod) => set({ paymentMethod })}
        />
      </div>
      <Choice
        label={text.address}
        value={draft.address}
        options={[
          { value: '' as const, label: text.everyAddress },
          { value: BLOCKED, label: text.blocked },
        ]}
        onChange={(address) => set({ address })}
      />
      <Button type="submit">{text.apply}</Button>
    </>
  );
}
