import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { textsOf } from '../shell/locale.ts';
import { Button } from './button.tsx';
import { Copy } from './copy.tsx';
import './secret.css';

const TEXTS = {
  en: {
    once: 'This is shown once. Store it now where your system reads its secrets; nobody can show it again.',
    done: 'I have stored it',
  },
  ar: {
    once: 'يظهر هذا مرة واحدة فقط. احفظه الآن حيث يقرأ نظامك أسراره؛ لا يمكن لأحد إظهاره مرة أخرى.',
    done: 'لقد حفظته',
  },
};

interface SecretProps {
  readonly title: string;
  /** It lives in the page's memory only: no address, no log and no storage has it. */
  readonly secret: string;
  readonly onStored: () => void;
  /** Other ways to take it along. */
  readonly children?: ComponentChildren;
}

/** A secret that is told once. It takes the focus, as it is why somebody is here now. */
export function Secret({ title, secret, onStored, children }: SecretProps) {
  const text = textsOf(TEXTS);
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section ref={box} class="secret" tabIndex={-1} aria-label={title}>
      <h2>{title}</h2>
      <p>{text.once}</p>
      <p class="secret-text">
        <bdi dir="ltr">
          <code>{secret}</code>
        </bdi>
      </p>
      <div class="row-actions">
        <Copy text={secret} what={title} />
        {children}
        <Button kind="primary" onClick={onStored}>
          {text.done}
        </Button>
      </div>
    </section>
  );
}
