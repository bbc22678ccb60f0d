import { createContext } from 'preact';
import { type StateUpdater, useContext, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { formatTime, textsOf } from '../base/locale.ts';
import { keepDraft, readDraft } from './kept-draft.ts';

/** The start of the names of drafts: whose they are. Empty before somebody has signed in. */
export const DraftOwner = createContext('');

/** What a form needs to say of its draft, and to end it. */
export interface Kept {
  /** When the form was left, if it was. */
  readonly leftAt: string | undefined;
  /** Whether the browser has no room for what was typed. */
  readonly isUnkept: boolean;
  readonly startAfresh: () => void;
  /** Deletes the kept draft, because it was sent. */
  readonly forget: () => void;
}

export interface DraftInUse<Draft> {
  readonly draft: Draft;
  readonly setDraft: (change: StateUpdater<Draft>) => void;
  /** What the form began with. A form that changes something began with its values of that time. */
  readonly start: Draft;
  /** A random text that stays with the draft, so that a request can be named by it after a reload too. */
  readonly id: string;
  readonly kept: Kept;
}

interface Begun<Draft> {
  readonly id: string;
  readonly start: Draft;
  readonly draft: Draft;
}

/** The values of a form, kept until they are sent. By default they belong to the address of the page. */
export function useDraft<Draft extends object>(
  first: Draft | (() => Draft),
  name: string | (() => string) = addressWithoutLanguage,
): DraftInUse<Draft> {
  const owner = useContext(DraftOwner);
  const [key] = useState(() => `${owner}-${typeof name === 'string' ? name : name()}`);
  const [left, setLeft] = useState(() => readDraft<Begun<Draft>>(key));
  const [{ id, start, draft: begun }, begin] = useState<Begun<Draft>>(() => {
    const fresh = begunWith(first);
    // A newer version of this page may have more fields.
    return left === undefined ? fresh : withEvery(fresh, left.draft);
  });
  const [draft, setDraft] = useState(begun);
  const [isUnkept, setIsUnkept] = useState(false);
  // Before the next paint, so that a reload right after a key loses nothing.
  useLayoutEffect(() => {
    if (draft !== begun) setIsUnkept(!keepDraft(key, draft === start ? undefined : { id, start, draft }));
  }, [draft]);
  useAskBeforeLeaving(isUnkept);
  return {
    draft,
    setDraft,
    start,
    id,
    kept: {
      leftAt: left === undefined ? undefined : new Date(left.savedAt).toISOString(),
      isUnkept,
      startAfresh() {
        keepDraft(key, undefined);
        setLeft(undefined);
        const fresh = begunWith(first);
        begin(fresh);
        setDraft(fresh.draft);
      },
      forget: () => void keepDraft(key, undefined),
    },
  };
}

function begunWith<Draft extends object>(first: Draft | (() => Draft)): Begun<Draft> {
  const values = typeof first === 'function' ? first() : first;
  return { id: crypto.randomUUID(), start: values, draft: values };
}

/** Of a page whose values are not kept, the browser asks before it is closed or loaded again. */
function useAskBeforeLeaving(isDue: boolean): void {
  useEffect(() => {
    if (!isDue) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isDue]);
}

function addressWithoutLanguage(): string {
  const query = new URLSearchParams(location.search);
  query.delete('lang');
  return `${location.pathname}?${query}`;
}

/** Kept values, with the fields that they lack. */
function withEvery<Value>(first: Value, kept: Value): Value {
  if (!isPlain(first) || !isPlain(kept)) return kept;
  const whole: Record<string, unknown> = { ...first };
  for (const [name, value] of Object.entries(kept)) whole[name] = name in first ? withEvery(first[name], value) : value;
  return whole as Value;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const TEXTS = {
  en: {
    left: 'You left this form unfinished:',
    afresh: 'Start afresh',
    unkept: 'This browser has no room to keep what you typed. It is lost when you leave this page.',
  },
  ar: {
    left: 'تركت هذا النموذج دون إكمال:',
    afresh: 'ابدأ من جديد',
    unkept: 'لا يتسع هذا المتصفح لحفظ ما كتبته، وستفقده عند مغادرة هذه الصفحة.',
  },
};

/** Says that the form has values from before, or that it cannot be kept. */
export function KeptNotice({ kept: { leftAt, isUnkept, startAfresh } }: { readonly kept: Kept }) {
  const text = textsOf(TEXTS);
  return (
    <>
      {leftAt === undefined ? null : (
        <p>
          {text.left} <bdi>{formatTime(leftAt)}</bdi>.{' '}
          <button
            type="button"
            class="plain"
            onClick={({ currentTarget }) => {
              const form = currentTarget.closest('form');
              startAfresh();
              form?.querySelector('input')?.focus();
            }}
          >
            {text.afresh}
          </button>
        </p>
      )}
      {isUnkept ? (
        <p class="notice" role="status">
          {text.unkept}
        </p>
      ) : null}
    </>
  );
}
