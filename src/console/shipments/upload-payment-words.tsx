import { textsOf } from '../../ui/browser/base/locale.ts';
import { Choice } from '../../ui/browser/kit/field.tsx';
import { SHIPMENT_FORM_TEXTS } from './shipment-form-words.ts';
import type { Matching, OrderFile } from './upload-fields.ts';
import { type PaymentAnswers, unknownMethods } from './upload-payments.ts';
import { PAYMENT_WORDS } from './words.ts';

const TEXTS = {
  en: {
    lead: 'Does the driver collect the total of these orders? This page does not know their words for payment.',
    empty: 'No payment method',
    rows: (count: number) => (count === 1 ? '1 row' : `${count} rows`),
  },
  ar: {
    lead: 'هل يحصّل السائق إجمالي هذه الطلبات؟ لا تعرف هذه الصفحة كلمات الدفع التالية.',
    empty: 'بلا طريقة دفع',
    rows: (count: number) => `عدد الصفوف: ${count}`,
  },
};

interface PaymentsProps {
  readonly file: OrderFile;
  readonly matching: Matching;
  readonly payments?: PaymentAnswers;
  readonly onChange: (answers: PaymentAnswers) => void;
}

/** Words for payment that this page does not know, and what the person says about them. */
export function UploadPayments({ file, matching, payments = {}, onChange }: PaymentsProps) {
  const text = textsOf(TEXTS);
  const { choose } = textsOf(SHIPMENT_FORM_TEXTS);
  // Also those with an answer, so that it can be changed.
  const asked = [...unknownMethods(file, matching, {})];
  if (asked.length === 0) return null;
  const words = textsOf({
    en: { COD: PAYMENT_WORDS.COD.en, PREPAID: PAYMENT_WORDS.PREPAID.en },
    ar: { COD: PAYMENT_WORDS.COD.ar, PREPAID: PAYMENT_WORDS.PREPAID.ar },
  });
  return (
    <section class="notice">
      <p>{text.lead}</p>
      {asked.map(([word, { cell, count }]) => (
        <Choice
          key={word}
          label={`${cell === '' ? text.empty : `“\u2068${cell}\u2069”`} (${text.rows(count)})`}
          value={payments[word] ?? ''}
          options={[
            ...(payments[word] === undefined ? [{ value: '' as const, label: choose }] : []),
            ...(['COD', 'PREPAID'] as const).map((value) => ({ value, label: words[value] })),
          ]}
          onChange={(value) => (value === '' ? undefined : onChange({ ...payments, [word]: value }))}
        />
      ))}
    </section>
  );
}
