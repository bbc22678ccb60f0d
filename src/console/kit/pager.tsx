import { Link } from '../shell/link.tsx';
import { textsOf } from '../shell/locale.ts';
import { addressOf } from '../shell/place.ts';

const TEXTS = {
  en: { first: 'Newest', next: 'Older', pages: 'Pages' },
  ar: { first: 'الأحدث', next: 'الأقدم', pages: 'الصفحات' },
};

interface PagerProps {
  readonly path: string;
  readonly filters: Readonly<Record<string, string | undefined>>;
  readonly cursor: string | undefined;
  readonly nextCursor: string | null;
}

/** Goes through a list by the cursors of the service. Back is the browser's own: every page has its address. */
export function Pager({ path, filters, cursor, nextCursor }: PagerProps) {
  const text = textsOf(TEXTS);
  if (cursor === undefined && nextCursor === null) return null;
  return (
    <nav class="pager" aria-label={text.pages}>
      {cursor === undefined ? null : <Link to={addressOf(path, filters)}>{text.first}</Link>}
      {nextCursor === null ? null : <Link to={addressOf(path, { ...filters, cursor: nextCursor })}>{text.next}</Link>}
    </nav>
  );
}
