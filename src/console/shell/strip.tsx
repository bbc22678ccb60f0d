import { textsOf } from './locale.ts';

const TEXTS = {
  en: { local: 'Local: a developer’s machine. Nothing here is real.', sandbox: 'Sandbox: no driver will come.' },
  ar: { local: 'محلي: جهاز مطوّر. لا شيء هنا حقيقي.', sandbox: 'بيئة تجريبية: لن يأتي أي سائق.' },
};

/** Says where one is, where that is not the real thing: by word and pattern. */
export function Strip({ deployment }: { readonly deployment: string }) {
  if (deployment !== 'local' && deployment !== 'sandbox') return null;
  return <aside class="strip">{textsOf(TEXTS)[deployment]}</aside>;
}
