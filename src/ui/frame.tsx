import type { Deployment } from '../core/deployment.ts';
import type { Locale, LocalText } from '../core/locale.ts';

/** The logo: the letter mim, drawn as a map pin. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 28" width="24" height="28" aria-hidden="true" focusable="false">
      <path
        fill="none"
        stroke="currentColor"
        stroke-width="3.5"
        stroke-linecap="round"
        stroke-linejoin="round"
        d="M12 26V17.5M12 17.5a7 7 0 1 1 0-14 7 7 0 0 1 0 14zM12 17.5H4"
      />
    </svg>
  );
}

/** Lets a page load its fonts with its stylesheet, so that they are there when it is first drawn. */
export function Fonts({ addresses }: { readonly addresses: readonly (string | undefined)[] }) {
  return (
    <>
      {addresses.map((address) => (
        <link rel="preload" as="font" type="font/woff2" href={address} crossOrigin="anonymous" />
      ))}
    </>
  );
}

const WORDS: Readonly<Partial<Record<Deployment, LocalText>>> = {
  local: { en: 'Local: for testing, no real deliveries', ar: 'بيئة محلية: للتجربة فقط، لا توصيل حقيقي' },
  sandbox: { en: 'Sandbox: for testing, no real deliveries', ar: 'بيئة تجريبية: للتجربة فقط، لا توصيل حقيقي' },
};

/** Marks the local and sandbox deployments, by word and by pattern. Production has no strip. */
export function Strip({ deployment, locale }: { readonly deployment: Deployment; readonly locale: Locale }) {
  const words = noticeOf(deployment, locale);
  return words === undefined ? null : <aside class="strip">{words}</aside>;
}

const LOADING = {
  en: { name: 'Mirsal', loading: 'Loading' },
  ar: { name: 'مرسال', loading: 'جارٍ التحميل' },
} as const satisfies Record<Locale, Record<string, string>>;

/** The console until it is known who is signed in. The service sends it with the page, so that it is visible at once. */
export function LoadingFrame({ locale }: { readonly locale: Locale }) {
  const text = LOADING[locale];
  return (
    <>
      <header class="top">
        <span class="brand">
          <Mark />
          <span>{text.name}</span>
        </span>
      </header>
      <div class="console">
        <div class="areas" />
        <main>
          <div class="skeleton" role="status" aria-label={text.loading}>
            <span />
            <span />
            <span />
          </div>
        </main>
      </div>
    </>
  );
}

/** Undefined on production. */
export function noticeOf(deployment: Deployment, locale: Locale): string | undefined {
  return WORDS[deployment]?.[locale];
}
