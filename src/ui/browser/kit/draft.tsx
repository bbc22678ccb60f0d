import { createContext } from 'preact';
import { type StateUpdater, useContext, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { formatTime, textsOf } from '../base/locale.ts';
import { addressOfDraft, keepDraft, readDraft } from './kept-draft.ts';

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

interface DraftOptions {
  /** What the values belong to. By default the address of the page. */
  readonly name?: string;
  /**
   * Whether the form changes something that exists. Its fields that the person left alone then begin with their values of now. Those
   * of a creation stay as they were sent, because the answer may have been lost.
   */
  readonly isChange?: boolean;
}

/** The values of a form, kept until they are sent. */
export function useDraft<Draft extends object>(
  first: Draft | (() => Draft),
  { name, isChange = false }: DraftOptions = {},
): DraftInUse<Draft> {
  const owner = useContext(DraftOwner);
  const [key] = useState(() => `${owner}-${name ?? addressOfDraft()}`);
  const [left, setLeft] = useState(() => readDraft<Begun<Draft>>(key));
  const [{ id, start, draft: begun }, begin] = useState<Begun<Draft>>(() => {
    const fresh = begunWith(first);
    return left === undefined ? fresh : { id: left.draft.id, ...restored(fresh.start, left.draft, isChange) };
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
      forget() {
        keepDraft(key, undefined);
        setLeft(undefined);
        setIsUnkept(false);
      },
    },
  };
}

function begunWith<Draft extends object>(first: Draft | (() => Draft)): Begun<Draft> {
  const values = typeof first === 'function' ? first() : first;
  return { id: crypto.randomUUID(), start: values, draft: values };
}

/** Asks before the page is closed or loaded again while its values are not kept. */
export function useAskBeforeLeaving(isDue: boolean): void {
  useEffect(() => {
    if (!isDue) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isDue]);
}

interface Values<Draft> {
  readonly start: Draft;
  readonly draft: Draft;
}

/**
 * A kept draft over the values that the form would begin with now. In a change, a field that the person left alone takes its new
 * value, so that saving does not undo what somebody else changed. A field of another kind, from an older version of this page, is
 * dropped.
 */
function restored<Value>(fresh: Value, kept: Values<unknown>, isChange: boolean): Values<Value> {
  if (isPlain(fresh) && isPlain(kept.draft)) {
    const { draft, start } = kept;
    const fields = Object.keys(fresh).map((name): [string, Values<unknown>] => [
      name,
      restored(fresh[name], { start: isPlain(start) ? start[name] : undefined, draft: draft[name] }, isChange),
    ]);
    const part = (which: keyof Values<unknown>) =>
      Object.fromEntries(fields.map(([name, both]) => [name, both[which]]));
    return { start: part('start') as Value, draft: part('draft') as Value };
  }
  const isOwn = !isChange || JSON.stringify(kept.draft) !== JSON.stringify(kept.start);
  const isUsable = fresh === undefined || kindOf(fresh) === kindOf(kept.draft);
  return isOwn && isUsable ? (kept as Values<Value>) : { start: fresh, draft: fresh };
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return kindOf(value) === 'record';
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value === 'object' && value !== null ? 'record' : typeof value;
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
