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
  en: { lead: 'You have sent to this mobile before. Choose to fill in name and address:' },
  ar: { lead: 'سبق أن أرسلت إلى هذا الجوال. اختر ليُملأ الاسم والعنوان:' },
};

/** The pause after which a whole mobile is looked for. */
const PAUSE_MS = 300;

interface KnownProps {
  readonly values: ShipmentDraft['values'];
  readonly onChoose: (values: Partial<ShipmentDraft['values']>) => void;
}

/** Recipients of earlier shipments with the mobile in the form, one line to tap each. */
export function KnownRecipients({ values, onChoose }: KnownProps) {
  const text = textsOf(TEXTS);
  const cityName = useCityNames();
  const mobile = readMobile(values['recipient.phone']) ?? '';
  const settled = useSettled(mobile, PAUSE_MS);
  const [chosenFor, setChosenFor] = useState('');
  // It only saves typing, so a failure shows nothing.
  const find = async () =>
    settled === '' ? [] : service.recipients.findKnown.mutate({ phone: settled }).catch((): Known[] => []);
  const found = useLoaded(`known ${settled}`, find).value ?? [];
  const offered = found.filter((known) => !isIn(values, known));
  const isShown = offered.length > 0 && settled === mobile && chosenFor !== mobile;
  return (
    <>
      <div role="status">{isShown ? <p class="small">{text.lead}</p> : null}</div>
      {isShown ? (
        <ul class="places">
          {offered.map((known) => {
            const { name, destination } = known;
            return (
              <li key={`${name} ${destination.addressLine}`}>
                <button
                  type="button"
                  class="plain"
                  onClick={() => {
                    setChosenFor(mobile);
                    onChoose(valuesOf(known));
                  }}
                >
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
