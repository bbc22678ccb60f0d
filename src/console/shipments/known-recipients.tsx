import { useState } from 'preact/hooks';
import { foldedOf } from '../../core/typed/folded.ts';
import { readMobile } from '../../core/typed/phone.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { useCityNames } from '../../ui/browser/kit/city-field.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useLoaded, useSettled } from '../../ui/browser/service/loading.ts';
import type { ShipmentDraft } from './shipment-draft.ts';

type Known = Outputs['recipients']['findKnown'][number];

const TEXTS = {
  en: {
    lead: 'You have sent to this mobile before. Choose to fill in name and address:',
    filled: 'Name and address are filled in.',
    undo: 'Undo:',
  },
  ar: {
    lead: 'سبق أن أرسلت إلى هذا الجوال. اختر ليُملأ الاسم والعنوان:',
    filled: 'مُلئ الاسم والعنوان.',
    undo: 'تراجع:',
  },
};

/** The pause after which a whole mobile is looked for. */
const PAUSE_MS = 300;

interface KnownProps {
  readonly draft: ShipmentDraft;
  readonly onChoose: (values: Partial<ShipmentDraft['values']>, shortCode: string) => void;
}

/** The line that was tapped, and what the form said before. */
interface Taken {
  readonly mobile: string;
  readonly line: string;
  readonly before: ShipmentDraft;
}

/** Recipients of earlier shipments with the mobile in the form, one line to tap each. */
export function KnownRecipients({ draft, onChoose }: KnownProps) {
  const text = textsOf(TEXTS);
  const { values } = draft;
  const cityName = useCityNames();
  const mobile = readMobile(values['recipient.phone']) ?? '';
  const settled = useSettled(mobile, PAUSE_MS);
  const [taken, setTaken] = useState<Taken>();
  // It only saves typing, so a failure shows nothing.
  const find = async () =>
    settled === '' ? [] : service.recipients.findKnown.mutate({ phone: settled }).catch((): Known[] => []);
  const found = useLoaded(`known ${settled}`, find).value ?? [];
  const isTaken = (known: Known) => taken?.mobile === mobile && taken.line === lineOf(known) && isIn(values, known);
  const offered = found.filter((known) => isTaken(known) || !isIn(values, known));
  const isShown = offered.length > 0 && settled === mobile;
  return (
    <>
      <div role="status">{isShown ? <p class="small">{offered.some(isTaken) ? text.filled : text.lead}</p> : null}</div>
      {isShown ? (
        <ul class="places">
          {offered.map((known) => {
            const { name, destination } = known;
            const before = isTaken(known) ? taken?.before : undefined;
            return (
              <li key={lineOf(known)}>
                <button
                  type="button"
                  class="plain"
                  onClick={() => {
                    if (before === undefined) {
                      setTaken({ mobile, line: lineOf(known), before: draft });
                      onChoose(valuesOf(known), '');
                    } else {
                      setTaken(undefined);
                      onChoose(placeOf(before.values), before.shortCode);
                    }
                  }}
                >
                  {before === undefined ? null : <strong>{text.undo} </strong>}
                  <bdi>{name}</bdi> · <bdi>{destination.addressLine}</bdi>{' '}
                  <span class="small quiet">{cityName(destination.cityCode)}</span>
                </button>
              </li>
            );
          })}
        </ul>
      ) : null}
    </>
  );
}

/** Whether the form says the same already. */
function isIn(values: ShipmentDraft['values'], { name, destination: { addressLine } }: Known): boolean {
  return (
    foldedOf(values['recipient.name']) === foldedOf(name) &&
    foldedOf(values['destination.addressLine']) === foldedOf(addressLine)
  );
}

function lineOf({ name, destination }: Known): string {
  return `${name} ${destination.addressLine}`;
}

function valuesOf({ name, destination }: Known): Partial<ShipmentDraft['values']> {
  const { addressLine, cityCode, latitude, longitude } = destination;
  return {
    'recipient.name': name,
    'destination.addressLine': addressLine,
    'destination.cityCode': cityCode,
    'destination.latitude': latitude,
    'destination.longitude': longitude,
  };
}

const FILLED = [
  'recipient.name',
  'destination.addressLine',
  'destination.cityCode',
  'destination.latitude',
  'destination.longitude',
] as const;

/** What a tap replaces. */
function placeOf(values: ShipmentDraft['values']): Partial<ShipmentDraft['values']> {
  return Object.fromEntries(FILLED.map((field) => [field, values[field]]));
}
