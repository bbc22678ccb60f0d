import { textOfInert } from '../../core/csv.ts';
import { foldedOf } from '../../core/typed/folded.ts';
import { plainHeader, shopOf } from './export-headers.ts';
import type { EndedOrder, EndedReason, FileRow, Matching, OrderFile } from './upload-fields.ts';

/*
 * Orders that need no shipment any more, by the statuses that shops export. A word that is not here leaves its order in the file,
 * such as `تم التنفيذ` of Salla, which an order has before it is given to a carrier.
 */

/** The columns with statuses. `Status` alone means this only in the export of a shop. */
const COLUMNS = ['Order status', 'Order status name', 'Financial status', 'Fulfillment status', 'حالة الطلب'];
const SHOP_COLUMNS = [...COLUMNS, 'Status'];
/** The columns with the time of the cancellation. */
const TIME_COLUMNS = ['Cancelled at', 'Canceled at'];

const WORDS: Readonly<Record<EndedReason, string>> = {
  CANCELLED: 'cancelled | canceled | voided | restocked | trash | deleted | ملغي | ملغية | ملغاة | تم الإلغاء | محذوف',
  REFUNDED: 'refunded | returned | reversed | مسترجع | مسترد | قيد الاسترجاع | تم الاسترجاع | تم الاسترداد | معاد',
  SHIPPED:
    'fulfilled | partial | partially fulfilled | completed | shipped | in delivery | indelivery | delivered | مكتمل | تم الشحن | جاري التوصيل | تم التوصيل',
  UNPAID: 'failed | فشل | فشل الدفع',
};
export const ENDED_REASONS = ['CANCELLED', 'REFUNDED', 'SHIPPED', 'UNPAID'] as const satisfies readonly EndedReason[];
const REASONS: ReadonlyMap<string, EndedReason> = new Map(
  ENDED_REASONS.flatMap((reason) => WORDS[reason].split(' | ').map((word) => [statusWord(word), reason])),
);

/** WooCommerce stores its statuses as `wc-completed`. */
function statusWord(cell: string): string {
  return foldedOf(textOfInert(cell)).replaceAll(/[_-]/g, ' ').replace(/^wc /, '');
}

/** The file without the orders that its shop has cancelled or sent, and those orders by name. */
export function withoutEnded(file: OrderFile, matching: Matching): OrderFile {
  const statuses = columnsOf(file, shopOf(file.header) === undefined ? COLUMNS : SHOP_COLUMNS);
  const times = columnsOf(file, TIME_COLUMNS);
  const reasonOf = ({ cells }: FileRow): EndedReason | undefined => {
    if (times.some((column) => /\d/.test(foldedOf(cells[column] ?? '')))) return 'CANCELLED';
    const found = statuses.map((column) => REASONS.get(statusWord(cells[column] ?? '')));
    return ENDED_REASONS.find((reason) => found.includes(reason));
  };
  const column = matching.indexOf('externalReference');
  const ended = new Map<string, EndedOrder>();
  const rows = file.rows.filter((row) => {
    const reference = row.cells[column] ?? '';
    const key = foldedOf(reference);
    const reason = reasonOf(row);
    const known = key === '' ? undefined : ended.get(key);
    if (reason === undefined) {
      // The further lines of an order leave its statuses empty.
      return known === undefined || statuses.some((status) => (row.cells[status] ?? '') !== '');
    }
    if (known === undefined) ended.set(key || `row ${row.number}`, { number: row.number, reference, reason });
    return false;
  });
  return ended.size === 0 ? file : { ...file, rows, ended: [...ended.values()] };
}

function columnsOf({ header }: OrderFile, names: readonly string[]): number[] {
  const known = new Set(names.map(plainHeader));
  return [...header.keys()].filter((column) => known.has(plainHeader(header[column] ?? '')));
}
