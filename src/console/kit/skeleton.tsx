import { textsOf } from '../shell/locale.ts';

const TEXTS = { en: 'Loading', ar: 'جارٍ التحميل' };

/** Stands where something will be. The stylesheet shows it after 300 ms: what comes sooner does not flicker. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label={textsOf(TEXTS)}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}
