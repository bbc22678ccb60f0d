import { useState } from 'preact/hooks';
import { SHIPMENT_STATES, type ShipmentState } from '../../contract/shipment-state.ts';
import { STATE_WORDS } from '../../ui/shipment-words.ts';
import { Button } from '../kit/button.tsx';
import { Choice, Field } from '../kit/field.tsx';
import { locale, textsOf } from '../shell/locale.ts';
import { addressOf, go } from '../shell/place.ts';

const TEXTS = {
  en: { label: 'Filters', state: 'State', every: 'Every state', reference: 'Your reference', find: 'Find' },
  ar: { label: 'التصفية', state: 'الحالة', every: 'كل الحالات', reference: 'مرجعك', find: 'ابحث' },
};

export interface Filters {
  readonly state?: ShipmentState;
  readonly externalReference?: string;
}

/** The filters of an address. A state that does not exist is none. */
export function filtersIn(query: URLSearchParams): Filters {
  const state = SHIPMENT_STATES.find((known) => known === query.get('state'));
  const externalReference = query.get('externalReference') ?? '';
  return {
    ...(state === undefined ? {} : { state }),
    ...(externalReference === '' ? {} : { externalReference }),
  };
}

/** Another filter is another first page: the cursor goes. */
export function ShipmentFilters({ filters }: { readonly filters: Filters }) {
  const text = textsOf(TEXTS);
  const [reference, setReference] = useState(filters.externalReference ?? '');
  const find = (state: ShipmentState | '') => go(addressOf('shipments', { state, externalReference: reference }));
  const states = SHIPMENT_STATES.map((state) => ({ value: state, label: STATE_WORDS[state].label[locale] }));
  return (
    <form
      role="search"
      class="finder"
      aria-label={text.label}
      onSubmit={(event) => {
        event.preventDefault();
        find(filters.state ?? '');
      }}
    >
      <Choice
        label={text.state}
        value={filters.state ?? ''}
        options={[{ value: '' as const, label: text.every }, ...states]}
        onChange={find}
      />
      <Field label={text.reference} value={reference} onChange={setReference} />
      <Button type="submit">{text.find}</Button>
    </form>
  );
}
