import { textsOf } from '../shell/locale.ts';
import { tell } from './toasts.tsx';

const TEXTS = {
  en: { copy: 'Copy', copied: 'Copied.', failed: 'The browser does not let this page copy. Select the text instead.' },
  ar: { copy: 'نسخ', copied: 'تم النسخ.', failed: 'لا يسمح المتصفح لهذه الصفحة بالنسخ. حدد النص بدلًا من ذلك.' },
};

/** Copies a text. `what` names it for those who hear the button. */
export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const words = textsOf(TEXTS);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => tell(words.copied),
      () => tell(words.failed),
    );
  };
  return (
    <button type="button" class="plain" aria-label={`${words.copy}: ${what}`} onClick={copy}>
      {words.copy}
    </button>
  );
}

/** Lines for a terminal or a program, and a way to take them along. */
export function Code({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <figure class="code" dir="ltr">
      <pre tabIndex={0} aria-label={what}>
        <code>{text}</code>
      </pre>
      <Copy text={text} what={what} />
    </figure>
  );
}
