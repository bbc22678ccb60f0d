import { useMemo } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Field } from '../../ui/browser/kit/field.tsx';
import { AMOUNT } from '../../ui/browser/kit/number-readers.ts';
import { blankItem, type ShipmentDraft } from './shipment-draft.ts';
import { SHIPMENT_FORM_TEXTS } from './shipment-form-words.ts';
import type { Matching, OrderFile } from './upload-fields.ts';
import { productOf } from './upload-request.ts';
import { productsOf } from './upload-rows.ts';

/** Kilograms of one piece by the folded name of the product. */
export type Weights = Readonly<Record<string, string>>;

/** More fields would make typing slow. The products that most orders have come first. */
const SHOWN = 50;
const TEXTS = {
  en: {
    hint: 'For products whose weight the file does not say.',
    byProduct: (count: number) => `Another weight for some products (${count})`,
  },
  ar: {
    hint: 'للمنتجات التي لا يذكر الملف وزنها.',
    byProduct: (count: number) => `وزن آخر لبعض المنتجات (${count})`,
  },
};

interface WeightsProps {
  readonly file: OrderFile;
  readonly matching: Matching;
  readonly defaults: ShipmentDraft;
  readonly weights: Weights;
  readonly onChange: (changes: { readonly defaults?: ShipmentDraft; readonly weights?: Weights }) => void;
}

/** The weight of pieces whose weight is not in the file: one for all, and others by product. */
export function UploadWeights({ file, matching, defaults, weights, onChange }: WeightsProps) {
  const text = textsOf(TEXTS);
  const products = useMemo(() => productsOf(file, matching), [file, matching]);
  const [item = blankItem(0)] = defaults.items;
  const setAll = (weightKilograms: string) =>
    onChange({ defaults: { ...defaults, items: [{ ...item, values: { ...item.values, weightKilograms } }] } });
  return (
    <>
      <Field
        label={textsOf(SHIPMENT_FORM_TEXTS).item.weightKilograms}
        hint={text.hint}
        reads={AMOUNT}
        value={item.values.weightKilograms}
        onChange={setAll}
      />
      {products.length < 2 ? null : (
        <details class="matching">
          <summary>{text.byProduct(products.length)}</summary>
          {products.slice(0, SHOWN).map((product) => (
            <Field
              key={product}
              label={product}
              reads={AMOUNT}
              value={weights[productOf(product)] ?? ''}
              onChange={(value) => onChange({ weights: { ...weights, [productOf(product)]: value } })}
            />
          ))}
        </details>
      )}
    </>
  );
}
