import { useState } from 'preact/hooks';
import { readMobile } from '../../core/typed/phone.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { CityField } from '../../ui/browser/kit/city-field.tsx';
import { Field } from '../../ui/browser/kit/field.tsx';
import { PositionFields } from '../../ui/browser/kit/position-fields.tsx';
import type { Reader } from '../../ui/browser/kit/readers.ts';
import { service } from '../../ui/browser/service/calls.ts';
import { type CallFailure, violationAt } from '../../ui/browser/service/failure.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import { AddressBox, type ChosenPlace } from './address-box.tsx';
import { type DraftField, isForgotten, type ShipmentDraft } from './shipment-draft.ts';
import { SHIPMENT_FORM_TEXTS } from './shipment-form-words.ts';
import { SHORT_CODE } from './short-code-form.tsx';

interface FieldAbout {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
  readonly reads: Reader;
}

const EXACT = ['destination.cityCode', 'destination.latitude', 'destination.longitude'] as const;

interface DestinationProps {
  readonly draft: ShipmentDraft;
  readonly setDraft: (change: (before: ShipmentDraft) => ShipmentDraft) => void;
  /** Where the parcel starts, if that is chosen. */
  readonly near: { readonly latitude: string; readonly longitude: string } | undefined;
  readonly failure: CallFailure | undefined;
  readonly fieldOf: (field: DraftField) => FieldAbout;
}

/** Where the parcel goes: one box for the address, and under it what follows from the address. */
export function DestinationFields({ draft, setDraft, near, failure, fieldOf }: DestinationProps) {
  const text = textsOf(SHIPMENT_FORM_TEXTS);
  const [isNeeded, setIsNeeded] = useState(false);
  const { shortCode = '' } = draft;
  const codeError = violationAt(failure, 'nationalAddress', shortCode);
  const isWrong = codeError !== undefined || EXACT.some((field) => fieldOf(field).error !== undefined);
  const setCode = (code: string) => setDraft((before) => ({ ...before, shortCode: code }));
  const { label, value, error } = fieldOf('destination.addressLine');
  return (
    <>
      <AddressBox
        label={label}
        value={value}
        error={error}
        near={near}
        onNothing={() => setIsNeeded(true)}
        // Another address is another building.
        onChange={(addressLine) => setDraft((before) => withPlace(before, { addressLine, shortCode: '' }))}
        onPlace={(place) => setDraft((before) => withPlace(before, place))}
      />
      <details open={isNeeded || isWrong || undefined}>
        <summary>{text.exact}</summary>
        <p class="small quiet">{text.exactHint}</p>
        <div class="triple">
          <CityField {...fieldOf('destination.cityCode')} hint={text.cityHint} />
          <PositionFields
            latitude={fieldOf('destination.latitude')}
            longitude={fieldOf('destination.longitude')}
            onPosition={(position) => setDraft((before) => withPlace(before, { ...position, shortCode }))}
          />
        </div>
        <Field
          label={text.shortCode}
          hint={text.shortCodeHint}
          reads={SHORT_CODE}
          value={shortCode}
          error={codeError}
          onChange={setCode}
        />
      </details>
    </>
  );
}

/** The draft with what is known of a place. */
function withPlace(draft: ShipmentDraft, place: Partial<ChosenPlace> & Pick<ChosenPlace, 'shortCode'>): ShipmentDraft {
  const { addressLine, cityCode, latitude, longitude, shortCode } = place;
  const values = {
    ...draft.values,
    ...(addressLine === undefined ? {} : { 'destination.addressLine': addressLine }),
    ...(cityCode === undefined ? {} : { 'destination.cityCode': cityCode }),
    ...(latitude === undefined ? {} : { 'destination.latitude': latitude }),
    ...(longitude === undefined ? {} : { 'destination.longitude': longitude }),
  };
  return { ...draft, values, shortCode };
}

/** Offers to fill in what the last shipment to this phone had. The service forgets a recipient with the shipments. */
export function KnownRecipient({
  phone,
  isWanted,
  use,
}: {
  readonly phone: string;
  readonly isWanted: boolean;
  readonly use: (values: Partial<ShipmentDraft['values']>) => void;
}) {
  const text = textsOf(SHIPMENT_FORM_TEXTS);
  const sought = isWanted ? (readMobile(phone) ?? '') : '';
  const { value } = useLoaded(`recipient ${sought}`, async () => {
    if (sought === '') return undefined;
    const [last] = (await service.shipments.list.query({ q: sought, limit: 1 })).data;
    return last === undefined || isForgotten(last) ? undefined : last;
  });
  if (sought === '' || value === undefined) return null;
  const { recipientName, destination } = value;
  const fill = () =>
    use({
      'recipient.name': recipientName,
      'destination.addressLine': destination.addressLine,
      'destination.cityCode': destination.cityCode,
      'destination.latitude': destination.latitude,
      'destination.longitude': destination.longitude,
    });
  return (
    <p>
      {text.lastTime}{' '}
      <button type="button" class="plain" onClick={fill}>
        <bdi>{recipientName}</bdi>, <bdi>{destination.addressLine}</bdi>
      </button>
    </p>
  );
}
