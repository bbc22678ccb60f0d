import { formatCount, textsOf } from '../../ui/browser/base/locale.ts';
import { Button } from '../../ui/browser/kit/form.tsx';

/** More rows would make the page slow. */
export const ROWS_SHOWN = 50;

const TEXTS = {
  en: {
    shown: (from: number, to: number, total: number) =>
      `Rows ${formatCount(from)} to ${formatCount(to)} of ${formatCount(total)}`,
    next: 'Next rows',
    back: 'Rows before',
  },
  ar: {
    shown: (from: number, to: number, total: number) =>
      `الصفوف ${formatCount(from)} إلى ${formatCount(to)} من ${formatCount(total)}`,
    next: 'الصفوف التالية',
    back: 'الصفوف السابقة',
  },
};

interface PagesProps {
  /** The index of the first shown row. */
  readonly from: number;
  readonly total: number;
  readonly onFrom: (from: number) => void;
}

/** Says which rows of a long list are shown, and shows others. Nothing for a short list. */
export function UploadPages({ from, total, onFrom }: PagesProps) {
  const text = textsOf(TEXTS);
  const end = Math.min(from + ROWS_SHOWN, total);
  if (total <= ROWS_SHOWN) return null;
  return (
    <div class="actions">
      <span class="small quiet">{text.shown(from + 1, end, total)}</span>
      {from === 0 ? null : <Button onClick={() => onFrom(from - ROWS_SHOWN)}>{text.back}</Button>}
      {end >= total ? null : <Button onClick={() => onFrom(from + ROWS_SHOWN)}>{text.next}</Button>}
    </div>
  );
}
