import { useState } from 'preact/hooks';
import { ITEMS_MAX } from '../../contract/shipment-state.ts';
import { companyNow } from '../../ui/browser/base/company-clock.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { Checks, Choice, Field, LongField } from '../../ui/browser/kit/field.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { TEXT } from '../../ui/browser/kit/readers.ts';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { type CallFailure, sentenceOf, violationAt } from '../../ui/browser/service/failure.ts';
import { useLoaded, type Work } from '../../ui/browser/service/loading.ts';
import { readAll } from '../../ui/browser/service/read-all.ts';
import { DestinationFields } from './destination-fields.tsx';
import { KnownRecipients } from './known-recipients.tsx';
import { LastContents } from './last-contents.tsx';
import {
  blankDraft,
  blankItem,
  DRAFT_READS,
  type DraftField,
  ITEM_READS,
  type ItemDraft,
  type ItemField,
  isNoteLong,
  type ShipmentDraft,
  type ShipmentRequest,
} from './shipment-draft.ts';
import { SHIPMENT_FORM_TEXTS } from './shipment-form-words.ts';
import { PAYMENT_WORDS } from './words.ts';

/** The branches and pickup locations that a shipment can start from. */
export interface Origins {
  readonly branches: Outputs['branches']['list']['data'];
  readonly pickupLocations: Outputs['pickupLocations']['list']['data'];
}

export async function readOrigins(): Promise<Origins> {
  const [branches, pickupLocations] = await Promise.all([
    readAll(service.branches.list, { status: 'ACTIVE' }),
    readAll(service.pickupLocations.list, { status: 'ACTIVE' }),
  ]);
  return { branches, pickupLocations };
}

/** A blank form. If the company has only one branch or pickup location, it is already selected. */
export function firstDraft({ branches, pickupLocations }: Origins): ShipmentDraft {
  const blank = blankDraft(companyNow());
  const [branch] = branches;
  if (branch === undefined || branches.length > 1) return blank;
  const { branchCode } = branch;
  const pickupLocationCode = pickupLocations.length === 1 ? (pickupLocations[0]?.pickupLocationCode ?? '') : '';
  return { ...blank, values: { ...blank.values, branchCode, pickupLocationCode } };
}

interface FormProps {
  readonly draft: ShipmentDraft;
  readonly setDraft: (change: (before: ShipmentDraft) => ShipmentDraft) => void;
  readonly origins: Origins;
  readonly work: Work<ShipmentRequest>;
}

/** The fields of a shipment. Each shows its own error. */
export function ShipmentForm({ draft, setDraft, origins, work }: FormProps) {
  const text = textsOf(SHIPMENT_FORM_TEXTS);
  const { values } = draft;
  /** How often an earlier recipient was taken. Their place belongs to their address. */
  const [taken, setTaken] = useState(0);
  const set = (changes: Partial<ShipmentDraft['values']>) =>
    setDraft((before) => ({ ...before, values: { ...before.values, ...changes } }));
  const fieldOf = (field: DraftField) => ({
    label: text.fields[field],
    value: values[field],
    error: violationAt(work.failure, field, values[field]),
    onChange: (value: string) => set({ [field]: value }),
    reads: DRAFT_READS[field] ?? TEXT,
  });
  return (
    <>
      <fieldset>
        <legend>{text.order}</legend>
        <Field {...fieldOf('externalReference')} hint={text.referenceHint} />
        <OriginChoices values={values} origins={origins} set={set} failure={work.failure} />
        <div class="pair">
          <Field {...fieldOf('pickupWindowStart')} type="datetime-local" dir="ltr" />
          <Field {...fieldOf('pickupWindowEnd')} type="datetime-local" dir="ltr" />
        </div>
        <p class="small quiet">{text.zone}</p>
      </fieldset>
      <fieldset>
        <legend>{text.recipient}</legend>
        <div class="pair">
          <Field {...fieldOf('recipient.phone')} hint={text.phoneHint} />
          <Field {...fieldOf('recipient.name')} />
        </div>
        <KnownRecipients
          draft={draft}
          onChoose={(known, shortCode) => {
            setDraft((before) => ({ ...before, values: { ...before.values, ...known }, shortCode }));
            setTaken((before) => before + 1);
          }}
        />
        <DestinationFields
          key={taken}
          draft={draft}
          setDraft={setDraft}
          near={startOf(origins, values.pickupLocationCode)}
          failure={work.failure}
          fieldOf={fieldOf}
        />
        <LongField
          label={text.note}
          hint={text.noteHint}
          error={isNoteLong(draft) ? text.noteLong : undefined}
          value={draft.note}
          onChange={(note) => setDraft((before) => ({ ...before, note }))}
        />
        <details open={values['recipient.alternateContactName'] !== '' || undefined}>
          <summary>{text.alternate}</summary>
          <div class="pair">
            <Field {...fieldOf('recipient.alternateContactName')} />
            <Field {...fieldOf('recipient.alternateContactPhone')} />
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
          <Field {...fieldOf('declaredValue')} />
          <Field
            {...fieldOf('codAmount')}
            hint={text.codHint}
            onChange={(codAmount) =>
              setDraft((before) => ({
                ...before,
                values: { ...before.values, codAmount },
                paymentMethod: NOTHING.test(codAmount) ? 'PREPAID' : 'COD',
              }))
            }
          />
          <Field {...fieldOf('currency')} />
        </div>
        <p class="quiet">
          {text.payment}: {PAYMENT_WORDS[draft.paymentMethod][locale]}
        </p>
        <Requirements
          label={text.fields.requirements}
          value={values.requirements}
          failure={work.failure}
          onChange={(requirements) => set({ requirements })}
        />
      </fieldset>
      <div class="actions">
        <Button type="submit" kind="primary" isForCompany isBusy={work.isBusy}>
          {text.submit}
        </Button>
      </div>
    </>
  );
}

/** Where parcels from a pickup location start. */
function startOf({ pickupLocations }: Origins, code: string) {
  const place = pickupLocations.find(({ pickupLocationCode }) => pickupLocationCode === code);
  return place && { latitude: place.location.latitude, longitude: place.location.longitude };
}

/** An amount to collect of nothing. */
const NOTHING = /^(?:0+(?:\.0*)?)?$/;

interface RequirementsProps {
  readonly label: string;
  /** Codes with spaces between them. */
  readonly value: string;
  readonly failure: CallFailure | undefined;
  readonly onChange: (value: string) => void;
}

/** A box for each thing that a shipment can require. A kept draft may have one that is no longer offered. */
function Requirements({ label, value, failure, onChange }: RequirementsProps) {
  const loaded = useLoaded('capabilities', async () => (await service.capabilities.list.query({})).data);
  const violation = failure?.violations.find(({ field }) => field.startsWith('requirements'));
  const values = value.split(' ').filter((code) => code !== '');
  return (
    <WhenLoaded loaded={loaded}>
      {(capabilities) => {
        const offered = capabilities.map(({ code, title, titleAr }) => ({
          value: code,
          label: locale === 'ar' ? titleAr : title,
        }));
        const others = values.filter((code) => !offered.some((one) => one.value === code));
        const options = [...offered, ...others.map((code) => ({ value: code, label: code, isCode: true }))];
        return options.length === 0 ? null : (
          <Checks
            label={label}
            options={options}
            values={values}
            error={violation === undefined ? undefined : sentenceOf(violation)}
            onChange={(chosen) => onChange(chosen.join(' '))}
          />
        );
      }}
    </WhenLoaded>
  );
}

interface OriginProps {
  readonly values: ShipmentDraft['values'];
  readonly origins: Origins;
  readonly set: (changes: Partial<ShipmentDraft['values']>) => void;
  readonly failure: CallFailure | undefined;
}

/** The choice of a branch and of one of its pickup locations. */
export function OriginChoices({ values, origins, set, failure }: OriginProps) {
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
        error={violationAt(failure, 'branchCode', values.branchCode)}
      />
      <Choice
        label={text.fields.pickupLocationCode}
        value={known(values.pickupLocationCode, places)}
        options={[none, ...places]}
        onChange={(pickupLocationCode) => set({ pickupLocationCode })}
        error={violationAt(failure, 'pickupLocationCode', values.pickupLocationCode)}
      />
    </div>
  );
}

interface ItemsProps {
  readonly items: readonly ItemDraft[];
  readonly failure: CallFailure | undefined;
  readonly setItems: (change: (before: readonly ItemDraft[]) => readonly ItemDraft[]) => void;
}

/** The items of the parcel. */
function ItemFields({ items, failure, setItems }: ItemsProps) {
  const text = textsOf(SHIPMENT_FORM_TEXTS);
  const add = () => setItems((before) => [...before, blankItem(Math.max(...before.map(({ id }) => id)) + 1)]);
  const set = (id: number, field: ItemField, value: string) =>
    setItems((before) =>
      before.map((item) => (item.id === id ? { id, values: { ...item.values, [field]: value } } : item)),
    );
  return (
    <fieldset>
      <legend>{text.items}</legend>
      <LastContents items={items} onTake={(values) => setItems(([first]) => [{ id: first?.id ?? 0, values }])} />
      {items.map(({ id, values }, index) => {
        const fieldOf = (field: ItemField) => ({
          label: text.item[field],
          value: values[field],
          error: violationAt(failure, `items[${index}].${field}`, values[field]),
          onChange: (value: string) => set(id, field, value),
          reads: ITEM_READS[field] ?? TEXT,
        });
        return (
          <section key={id} class="item" aria-label={`${text.itemNumber} ${index + 1}`}>
            <Field {...fieldOf('description')} />
            <div class="pair">
              <Field {...fieldOf('quantity')} />
              <Field {...fieldOf('weightKilograms')} />
            </div>
            <details open={hasSizeViolation(failure, index) || undefined}>
              <summary>{text.sizes}</summary>
              <div class="triple">
                <Field {...fieldOf('lengthCentimetres')} />
                <Field {...fieldOf('widthCentimetres')} />
                <Field {...fieldOf('heightCentimetres')} />
              </div>
            </details>
            {items.length === 1 ? null : (
              <button
                type="button"
                class="plain"
                aria-label={`${text.removeItem}: ${text.itemNumber} ${index + 1}`}
                onClick={() => setItems((before) => before.filter((item) => item.id !== id))}
              >
                {text.removeItem}
              </button>
            )}
          </section>
        );
      })}
      <Button isDisabled={items.length >= ITEMS_MAX} onClick={add}>
        {text.addItem}
      </Button>
    </fieldset>
  );
}

/** Whether a size has an error. If so, the sizes are shown. */
function hasSizeViolation(failure: CallFailure | undefined, index: number): boolean {
  const fields = ['lengthCentimetres', 'widthCentimetres', 'heightCentimetres'] as const;
  return fields.some((field) => violationAt(failure, `items[${index}].${field}`) !== undefined);
}
