import type { Deployment } from '../core/deployment.ts';
import type { Locale, LocalText } from '../core/locale.ts';

const WORDS: Readonly<Partial<Record<Deployment, LocalText>>> = {
  local: { en: 'Local: a try-out, no real delivery', ar: 'بيئة محلية: للتجربة فقط، لا توصيل حقيقي' },
  sandbox: { en: 'Sandbox: a try-out, no real delivery', ar: 'بيئة تجريبية: للتجربة فقط، لا توصيل حقيقي' },
};

/** Marks what is no real delivery, by word and by pattern. There is none on production. */
export function Strip({ deployment, locale }: { readonly deployment: Deployment; readonly locale: Locale }) {
  const words = WORDS[deployment];
  return words === undefined ? null : <aside class="strip">{words[locale]}</aside>;
}
