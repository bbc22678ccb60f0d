import { Button } from '../kit/button.tsx';
import { Choice, Field } from '../kit/field.tsx';
import { violationAt } from '../service/failure.ts';
import type { Work } from '../service/use-loaded.ts';
import { locale, textsOf } from '../shell/locale.ts';
import { ItemFields } from './item-fields.tsx';
import type { Origins } from './origins.ts';
import type { DraftField, ShipmentDraft, ShipmentRequest } from './shipment-draft.ts';
import { SHIPMENT_FORM_TEXTS } from './shipment-form-texts.ts';
import { PAYMENT_WORDS } from './words.ts';

interface FormProps {
  readonly draft: ShipmentDraft;
  readonly setDraft: (change: (before: ShipmentDraft) => ShipmentDraft) => void;
  readonly origins: Origins;
  readonly work: Work<ShipmentRequest>;
}

/** Every member of a shipment, each with what the service found wrong with it. */
export function ShipmentForm({ draft, setDraft, origins, work }: FormProps) {
  const text = textsOf(SHIPMENT_FORM_TEXTS);
  const { values } = draft;
  const set = (changes: Partial<ShipmentDraft['values']>) =>
    setDraft((before) => ({ ...before, values: { ...before.values, ...changes } }));
  const fieldOf = (field: DraftField) => ({
    label: text.fields[field],
    value: values[field],
    error: violationAt(work.failure, field),
    onChange: (value: string) => set({ [field]: value }),
  });
  const number = { dir: 'ltr', inputMode: 'decimal' } as const;
  return (
    <>
      <fieldset>
        <legend>{text.order}</legend>
        <Field {...fieldOf('externalReference')} hint={text.referenceHint} />
        <OriginChoices values={values} origins={origins} set={set} work={work} />
        <div class="pair">
          <Field {...fieldOf('pickupWindowStart')} type="datetime-local" dir="ltr" />
          <Field {...fieldOf('pickupWindowEnd')} type="datetime-local" dir="ltr" />
        </div>
        <p class="small quiet">
          {text.zone} <bdi dir="ltr">{Intl.DateTimeFormat().resolvedOptions().timeZone}</bdi>
        </p>
      </fieldset>
      <fieldset>
        <legend>{text.recipient}</legend>
        <div class="pair">
          <Field {...fieldOf('recipient.name')} />
          <Field {...fieldOf('recipient.phone')} dir="ltr" inputMode="tel" hint={text.phoneHint} />
        </div>
        <Field {...fieldOf('destination.addressLine')} />
        <div class="triple">
          <Field {...fieldOf('destination.cityCode')} dir="ltr" hint={text.cityHint} />
          <Field {...fieldOf('destination.latitude')} {...number} />
          <Field {...fieldOf('destination.longitude')} {...number} />
        </div>
        <details open={values['recipient.alternateContactName'] !== '' || undefined}>
          <summary>{text.alternate}</summary>
          <div class="pair">
            <Field {...fieldOf('recipient.alternateContactName')} />
            <Field {...fieldOf('recipient.alternateContactPhone')} dir="ltr" inputMode="tel" />
          </div>
        </details>
      </fieldset>
      <ItemFields
        items={draft.items}
        failure={work.failure}
        setItems={(change) => setDraft((before) => ({ ...before, items: change(before.items) }))}
      />
      <fieldset>
        <legend>{text.money}</legend>
        <div class="triple">
          <Field {...fieldOf('declaredValue')} {...number} />
          <Field {...fieldOf('codAmount')} {...number} hint={text.codHint} />
          <Field {...fieldOf('currency')} dir="ltr" maxLength={3} />
        </div>
        <Choice
          label={text.payment}
          value={draft.paymentMethod}
          options={(['PREPAID', 'COD'] as const).map((value) => ({ value, label: PAYMENT_WORDS[value][locale] }))}
          onChange={(paymentMethod) => setDraft((before) => ({ ...before, paymentMethod }))}
          error={violationAt(work.failure, 'paymentMethod')}
        />
        <Field
          {...fieldOf('requirements')}
          error={work.failure?.violations.find(({ field }) => field.startsWith('requirements'))?.message}
          hint={text.requirementsHint}
          dir="ltr"
        />
      </fieldset>
      <div class="actions">
        <Button type="submit" kind="primary" isBusy={work.isBusy}>
          {text.submit}
        </Button>
      </div>
    </>
  );
}

interface OriginProps {
  readonly values: ShipmentDraft['values'];
  readonly origins: Origins;
  readonly set: (changes: Partial<ShipmentDraft['values']>) => void;
  readonly work: Work<ShipmentRequest>;
}

/** A branch, and one of its pickup locations. */
function OriginChoices({ values, origins, set, work }: OriginProps) {
  const text = textsOf(SHIPMENT_FORM_TEXTS);
  const placesOf = (branchCode: string) => origins.pickupLocations.filter((place) => place.branchCode === branchCode);
  const named = (code: string, { name, nameAr }: { name: string; nameAr: string | null }) => ({
    value: code,
    label: `${locale === 'ar' ? (nameAr ?? name) : name} (${code})`,
  });
  const none = { value: '', label: text.choose };
  const known = (code: string, options: readonly { readonly value: string }[]) =>
    options.some(({ value }) => value === code) ? code : '';
  const branches = origins.branches.map((branch) => named(branch.branchCode, branch));
  const places = placesOf(values.branchCode).map((place) => named(place.pickupLocationCode, place));
  return (
    <div class="pair">
      <Choice
        label={text.fields.branchCode}
        value={known(values.branchCode, branches)}
        options={[none, ...branches]}
        onChange={(branchCode) => {
          const [only, ...others] = placesOf(branchCode);
          const pickupLocationCode = only !== undefined && others.length === 0 ? only.pickupLocationCode : '';
          set({ branchCode, pickupLocationCode });
        }}
        error={violationAt(work.failure, 'branchCode')}
      />
      <Choice
        label={text.fields.pickupLocationCode}
        value={known(values.pickupLocationCode, places)}
        options={[none, ...places]}
        onChange={(pickupLocationCode) => set({ pickupLocationCode })}
        error={violationAt(work.failure, 'pickupLocationCode')}
      />
    </div>
  );
}
