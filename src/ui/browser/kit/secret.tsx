import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { OVERLAP_SECONDS_DEFAULT, OVERLAP_SECONDS_MAX } from '../../../core/limits.ts';
import { textsOf } from '../base/locale.ts';
import { Choice } from './field.tsx';
import { Button } from './form.tsx';
import { Copy } from './text.tsx';

const TEXTS = {
  en: {
    once: 'The secret is shown only once. Store it now, for example in your secret store. It cannot be shown again.',
    done: 'I have stored it',
  },
  ar: {
    once: 'يظهر السر مرة واحدة فقط. احفظه الآن، في مخزن الأسرار لديك مثلًا، فلا يمكن إظهاره مرة أخرى.',
    done: 'لقد حفظته',
  },
};

interface SecretProps {
  readonly title: string;
  /** It stays in the page's memory: never put it in an address, a log or browser storage. */
  readonly secret: string;
  readonly onStored: () => void;
  /** Further actions, such as a download. */
  readonly children?: ComponentChildren;
}

/** Shows a secret once. It takes the focus because it replaces the form that asked for it. */
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

const OVERLAP_TEXTS = {
  en: {
    label: 'Keep the old secret valid for',
    '0': 'no time: it ends now',
    '3600': 'one hour',
    '86400': 'one day',
    '259200': 'three days',
    '604800': 'seven days',
  },
  ar: {
    label: 'يبقى السر القديم صالحًا لمدة',
    '0': 'ينتهي الآن',
    '3600': 'ساعة واحدة',
    '86400': 'يوم واحد',
    '259200': 'ثلاثة أيام',
    '604800': 'سبعة أيام',
  },
};
/** In seconds, from 0 to the maximum that the service allows. */
export const OVERLAP_DEFAULT = `${OVERLAP_SECONDS_DEFAULT}` as const;
const CHOICES = ['0', '3600', OVERLAP_DEFAULT, '259200', `${OVERLAP_SECONDS_MAX}`] as const;
export type OverlapSeconds = (typeof CHOICES)[number];

interface OverlapProps {
  readonly value: OverlapSeconds;
  readonly onChange: (value: OverlapSeconds) => void;
}

/** A choice of how long the old secret stays valid after a rotation. */
export function Overlap({ value, onChange }: OverlapProps) {
  const text = textsOf(OVERLAP_TEXTS);
  const options = CHOICES.map((seconds) => ({ value: seconds, label: text[seconds] }));
  return <Choice label={text.label} value={value} options={options} onChange={onChange} />;
}
