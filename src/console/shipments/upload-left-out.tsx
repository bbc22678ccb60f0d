import { textsOf } from '../../ui/browser/base/locale.ts';
import type { EndedOrder, OrderFile } from './upload-fields.ts';
import { ENDED_REASONS } from './upload-statuses.ts';

/** The orders that are named for each reason. */
const SHOWN = 20;
const TEXTS = {
  en: {
    lead: (count: number) => `Orders of this file that are left out, because of their status in the shop: ${count}.`,
    hint: 'To send one of them, empty its status in the file and choose the file again.',
    sheet: (name: string) => `Only the sheet ${name} was read.`,
    others: (names: string) => `These sheets with orders were left out: ${names}. Save each as a file of its own.`,
    row: (number: number) => `row ${number}`,
    more: (count: number) => `and ${count} more`,
    reasons: {
      CANCELLED: 'Cancelled',
      REFUNDED: 'Refunded or returned',
      SHIPPED: 'Already shipped, as a whole or in part',
      UNPAID: 'The payment failed',
    },
  },
  ar: {
    lead: (count: number) => `طلبات في الملف تُركت بسبب حالتها في المتجر: ${count}.`,
    hint: 'لإرسال أحدها، أفرغ حالته في الملف ثم اختر الملف من جديد.',
    sheet: (name: string) => `قُرئت الورقة ${name} وحدها.`,
    others: (names: string) => `تُركت هذه الأوراق التي فيها طلبات: ${names}. احفظ كل ورقة في ملف مستقل.`,
    row: (number: number) => `الصف ${number}`,
    more: (count: number) => `وغيرها: ${count}`,
    reasons: {
      CANCELLED: 'ملغاة',
      REFUNDED: 'مستردة أو مرتجعة',
      SHIPPED: 'شُحنت من قبل، كلها أو بعضها',
      UNPAID: 'فشل الدفع',
    },
  },
};

/** What of a file is not read, and why. */
export function UploadLeftOut({ file: { sheet, ended = [] } }: { readonly file: OrderFile }) {
  const text = textsOf(TEXTS);
  return (
    <>
      {sheet === undefined ? null : (
        <p class="notice" role="status">
          {text.sheet(quoted(sheet.name))} {text.others(sheet.others.map(quoted).join(' · '))}
        </p>
      )}
      {ended.length === 0 ? null : <Ended ended={ended} />}
    </>
  );
}

const quoted = (name: string) => `“\u2068${name}\u2069”`;

function Ended({ ended }: { readonly ended: readonly EndedOrder[] }) {
  const text = textsOf(TEXTS);
  return (
    <section class="notice" role="status">
      <p>{text.lead(ended.length)}</p>
      <ul>
        {ENDED_REASONS.map((reason) => {
          const orders = ended.filter((order) => order.reason === reason);
          return orders.length === 0 ? null : (
            <li key={reason}>
              {text.reasons[reason]} ({orders.length}): <Orders orders={orders} />
            </li>
          );
        })}
      </ul>
      <p>{text.hint}</p>
    </section>
  );
}

function Orders({ orders }: { readonly orders: readonly EndedOrder[] }) {
  const text = textsOf(TEXTS);
  return (
    <>
      {orders.slice(0, SHOWN).map(({ number, reference }, index) => (
        <span key={number}>
          {index === 0 ? null : ' · '}
          {reference === '' ? text.row(number) : <bdi>{reference}</bdi>}
        </span>
      ))}
      {orders.length > SHOWN ? ` ${text.more(orders.length - SHOWN)}` : null}
    </>
  );
}
