import { useState } from 'preact/hooks';
import type { Point } from '../../core/polyline.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { CityField } from '../../ui/browser/kit/city-field.tsx';
import { Field } from '../../ui/browser/kit/field.tsx';
import { MapView } from '../../ui/browser/kit/map-view.tsx';
import { positionIn } from '../../ui/browser/kit/pasted-position.ts';
import { PositionFields } from '../../ui/browser/kit/position-fields.tsx';
import type { Reader } from '../../ui/browser/kit/readers.ts';
import { type CallFailure, violationAt } from '../../ui/browser/service/failure.ts';
import { mapArchive } from '../../ui/map/load-map.ts';
import { AddressBox, type ChosenPlace } from './address-box.tsx';
import type { DraftField, ShipmentDraft } from './shipment-draft.ts';
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
  const { values, shortCode } = draft;
  const isPlaced = values['destination.latitude'] !== '';
  /** The address that the place belongs to. */
  const [line, setLine] = useState(isPlaced ? values['destination.addressLine'] : '');
  /** A place that was set by hand stays whatever the address becomes. */
  const [isByHand, setIsByHand] = useState(false);
  const codeError = violationAt(failure, 'nationalAddress', shortCode);
  const isWrong =
    codeError !== undefined ||
    violationAt(failure, 'destination') !== undefined ||
    EXACT.some((field) => fieldOf(field).error !== undefined);
  const setCode = (code: string) => setDraft((before) => ({ ...before, shortCode: code }));
  const { label, value, error } = fieldOf('destination.addressLine');
  const write = (addressLine: string) => {
    const isThere = line !== '' && addressLine.startsWith(line);
    if (!isThere) setLine('');
    const gone = line === '' || isByHand ? { shortCode: '' } : NOWHERE;
    setDraft((before) => withPlace(before, { ...(isThere ? {} : gone), addressLine }));
  };
  const choose = (place: ChosenPlace) => {
    if (place.addressLine !== undefined) {
      setLine(place.addressLine);
      setIsByHand(false);
    }
    if (place.cityCode === '' || values['destination.cityCode'] === '') setIsNeeded(true);
    setDraft((before) => withPlace(before, place));
  };
  const degreesOf = (field: DraftField): FieldAbout => {
    const about = fieldOf(field);
    const onChange = (typed: string) => {
      setIsByHand(true);
      about.onChange(typed);
    };
    return { ...about, onChange };
  };
  const placeByHand = (position: Pick<ChosenPlace, 'latitude' | 'longitude'>) => {
    setIsByHand(true);
    setDraft((before) => withPlace(before, position));
  };
  return (
    <>
      <AddressBox
        label={label}
        value={value}
        error={error}
        near={near}
        onNothing={() => setIsNeeded(true)}
        onChange={write}
        onPlace={choose}
      />
      <PinOnMap
        at={pointIn(values['destination.latitude'], values['destination.longitude'])}
        start={isNeeded && near !== undefined ? pointIn(near.latitude, near.longitude) : undefined}
        onMove={({ latitude, longitude }) => {
          if (values['destination.cityCode'] === '') setIsNeeded(true);
          placeByHand({ latitude: String(latitude), longitude: String(longitude) });
        }}
      />
      <details open={isNeeded || isWrong || undefined}>
        <summary>{text.exact}</summary>
        <p class="small quiet">{text.exactHint}</p>
        <div class="triple">
          <CityField {...fieldOf('destination.cityCode')} hint={text.cityHint} />
          <PositionFields
            latitude={degreesOf('destination.latitude')}
            longitude={degreesOf('destination.longitude')}
            onPosition={placeByHand}
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

interface PinProps {
  readonly at: Point | undefined;
  /** Where the pin stands until somebody has moved it; undefined if it is not needed. */
  readonly start: Point | undefined;
  readonly onMove: (to: Point) => void;
}

/** The place on a map, if the deployment has one and the place is known or cannot be found by its address. */
function PinOnMap({ at, start, onMove }: PinProps) {
  const text = textsOf(SHIPMENT_FORM_TEXTS);
  const shown = at ?? start;
  if (shown === undefined || mapArchive() === undefined) return null;
  return (
    <div class="pin-on-map">
      <p class="small">{at === undefined ? text.pinStart : text.pinHint}</p>
      <MapView label={text.pin} pin={{ at: shown, onMove }} otherwise={text.noPin} />
    </div>
  );
}

/** The typed degrees, once they are whole. */
function pointIn(latitude: string, longitude: string): Point | undefined {
  const position = positionIn(`${latitude}, ${longitude}`);
  return position && { latitude: Number(position.latitude), longitude: Number(position.longitude) };
}

/** Another address is another building, in another city perhaps. */
const NOWHERE = { cityCode: '', latitude: '', longitude: '', shortCode: '' };

/** The draft with what is known of a place. */
function withPlace(draft: ShipmentDraft, place: Partial<ChosenPlace>): ShipmentDraft {
  const { addressLine, cityCode, latitude, longitude, shortCode = draft.shortCode } = place;
  const values = {
    ...draft.values,
    ...(addressLine === undefined ? {} : { 'destination.addressLine': addressLine }),
    ...(cityCode === undefined ? {} : { 'destination.cityCode': cityCode }),
    ...(latitude === undefined ? {} : { 'destination.latitude': latitude }),
    ...(longitude === undefined ? {} : { 'destination.longitude': longitude }),
  };
  return { ...draft, values, shortCode };
}
