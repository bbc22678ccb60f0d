import { Button } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { type Failure, violationAt } from '../service/failure.ts';
import { textsOf } from '../shell/locale.ts';
import { blankItem, type ItemDraft, type ItemField } from './shipment-draft.ts';
import { SHIPMENT_FORM_TEXTS } from './shipment-form-texts.ts';

/** The service takes no more (interface, Limits). */
const ITEMS_MAX = 100;

interface ItemsProps {
  readonly items: readonly ItemDraft[];
  readonly failure: Failure | undefined;
  readonly setItems: (change: (before: readonly ItemDraft[]) => readonly ItemDraft[]) => void;
}

/** What is in the parcel. */
export function ItemFields({ items, failure, setItems }: ItemsProps) {
  const text = textsOf(SHIPMENT_FORM_TEXTS);
  const add = () => setItems((before) => [...before, blankItem(Math.max(...before.map(({ id }) => id)) + 1)]);
  const set = (id: number, field: ItemField, value: string) =>
    setItems((before) =>
      before.map((item) => (item.id === id ? { id, values: { ...item.values, [field]: value } } : item)),
    );
  return (
    <fieldset>
      <legend>{text.items}</legend>
      {items.map(({ id, values }, index) => {
        const fieldOf = (field: ItemField) => ({
          label: text.item[field],
          value: values[field],
          error: violationAt(failure, `items[${index}].${field}`),
          onChange: (value: string) => set(id, field, value),
        });
        const number = { dir: 'ltr', inputMode: 'decimal' } as const;
        return (
          <section key={id} class="item" aria-label={`${text.itemNumber} ${index + 1}`}>
            <Field {...fieldOf('description')} />
            <div class="pair">
              <Field {...fieldOf('quantity')} dir="ltr" inputMode="numeric" />
              <Field {...fieldOf('weightKilograms')} {...number} />
            </div>
            <details open={hasSizeViolation(failure, index) || undefined}>
              <summary>{text.sizes}</summary>
              <div class="triple">
                <Field {...fieldOf('lengthCentimetres')} {...number} />
                <Field {...fieldOf('widthCentimetres')} {...number} />
                <Field {...fieldOf('heightCentimetres')} {...number} />
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

/** What is wrong must be seen. */
function hasSizeViolation(failure: Failure | undefined, index: number): boolean {
  const fields = ['lengthCentimetres', 'widthCentimetres', 'heightCentimetres'] as const;
  return fields.some((field) => violationAt(failure, `items[${index}].${field}`) !== undefined);
}
