import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { type DraftInUse, DraftOwner, useAskBeforeLeaving } from '../../ui/browser/kit/draft.tsx';
import { keepLarge, largeNameHere, readLarge } from '../../ui/browser/kit/kept-large.ts';
import { signedInHere } from '../session/session.tsx';
import type { ShipmentDraft } from './shipment-draft.ts';
import type { Matching, OrderFile } from './upload-fields.ts';
import type { PaymentAnswers } from './upload-payments.ts';
import { NO_FINDINGS, type PlaceFindings } from './upload-places.ts';
import { type UploadRow, waitingRows } from './upload-rows.ts';
import type { RefusedRow } from './upload-verdicts.ts';

/* What a person has done to a file, kept by the browser until every row has become a shipment. */

/** What holds for the rows of a file beside their cells. */
export interface RowBasis {
  readonly defaults: ShipmentDraft;
  /** What the person has said about words for payment. */
  readonly payments?: PaymentAnswers;
  /** Kilograms of one piece by product. */
  readonly weights?: Readonly<Record<string, string>>;
  /** The most that a shipment may cost. */
  readonly priceLimit: string;
}

/** A file, the fields of its columns, and what holds for all rows. */
export interface Sheet extends RowBasis {
  /** Counts the chosen files. */
  readonly count: number;
  readonly file: OrderFile;
  readonly matching: Matching;
}

/** The rows of a file that are created, in parts of a batch each. */
export interface SentRows {
  /** The batches of the parts that were sent, in order. Parts without one wait. */
  readonly batchIds: readonly string[];
  /** The chosen file, by its count. */
  readonly sheet: number;
  readonly basis: RowBasis;
  readonly rows: readonly UploadRow[];
  /** The rows with errors. They are not sent. */
  readonly leftOut: readonly RefusedRow[];
}

export interface UploadDraft {
  readonly sheet: Sheet | undefined;
  readonly rows: readonly UploadRow[];
  /** The places that were found for the rows. */
  readonly places: PlaceFindings;
  /** The rows that were sent last. */
  readonly sent: SentRows | undefined;
}

/** Whether rows of a draft wait to be sent. */
export function isWaitingIn({ sent }: UploadDraft): boolean {
  return sent !== undefined && waitingRows(sent).length > 0;
}

const EMPTY: UploadDraft = { sheet: undefined, rows: [], places: NO_FINDINGS, sent: undefined };
/** Changes with the members of a kept upload. The page drops one of another version. */
const VERSION = 2;
/** Thousands of rows take a moment to store, so not every key stores them. */
const PAUSE_MS = 400;
const FEW_ROWS = 500;
/** After a reload, the browser takes a moment to release the lock of the page before. */
const LOCK_MS = 1_000;

interface Begun {
  readonly version: typeof VERSION;
  readonly id: string;
  readonly draft: UploadDraft;
}

function isBegun(value: unknown): value is Begun {
  return typeof value === 'object' && value !== null && 'version' in value && value.version === VERSION;
}

function begunWith(draft: UploadDraft): Begun {
  return { version: VERSION, id: crypto.randomUUID(), draft };
}

/**
 * The upload that this browser keeps for the person, as a draft in use. Undefined while it is read. `elsewhere`: another tab has it
 * open; this tab goes on once that one leaves the upload.
 */
export function useUploadDraft(): DraftInUse<UploadDraft> | 'elsewhere' | undefined {
  const owner = useContext(DraftOwner);
  const [name] = useState(() => largeNameHere(owner));
  const [begun, setBegun] = useState<Begun>();
  const [isElsewhere, setIsElsewhere] = useState(false);
  const [leftAt, setLeftAt] = useState<string>();
  const [isUnkept, setIsUnkept] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const stored = useRef<UploadDraft>(undefined);
  const latest = useRef<Begun>(undefined);
  const holder = useRef(signedInHere());
  latest.current = begun;
  const store = async () => {
    const { current } = latest;
    if (current === undefined || current.draft === stored.current) return setIsPending(false);
    // Signing out in another tab has deleted what was kept.
    if (signedInHere() !== holder.current) return setIsUnkept(true);
    stored.current = current.draft;
    setIsUnkept(!(await keepLarge(name, current.draft === EMPTY ? undefined : current)));
    if (latest.current?.draft === stored.current) setIsPending(false);
  };
  useEffect(() => {
    let isHere = true;
    const release = holdLock(name, {
      onWait: () => setIsElsewhere(true),
      onHeld: async () => {
        const kept = await readLarge(name);
        if (!isHere) return;
        const left = isBegun(kept?.value) ? kept.value : undefined;
        stored.current = left?.draft ?? EMPTY;
        setIsElsewhere(false);
        setBegun(left ?? begunWith(EMPTY));
        setLeftAt(left === undefined || kept === undefined ? undefined : new Date(kept.savedAt).toISOString());
      },
    });
    const leave = () => void store();
    addEventListener('pagehide', leave);
    return () => {
      isHere = false;
      removeEventListener('pagehide', leave);
      void store().finally(release);
    };
  }, []);
  useEffect(() => {
    if (begun !== undefined && begun.draft !== stored.current) setIsPending(true);
    if ((begun?.draft.rows.length ?? 0) <= FEW_ROWS) return void store();
    const timer = setTimeout(() => void store(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [begun]);
  useAskBeforeLeaving(isUnkept || isPending);
  if (begun === undefined) return isElsewhere ? 'elsewhere' : undefined;
  const forget = () => {
    stored.current = latest.current?.draft;
    setLeftAt(undefined);
    setIsUnkept(false);
    setIsPending(false);
    void keepLarge(name, undefined);
  };
  return {
    draft: begun.draft,
    setDraft: (change) =>
      setBegun(
        (before) => before && { ...before, draft: typeof change === 'function' ? change(before.draft) : change },
      ),
    start: EMPTY,
    id: begun.id,
    kept: {
      leftAt,
      isUnkept,
      startAfresh() {
        forget();
        setBegun(begunWith(EMPTY));
      },
      forget,
    },
  };
}

interface Holding {
  /** Called if another tab holds the lock. */
  readonly onWait: () => void;
  readonly onHeld: () => Promise<void>;
}

/** Waits for a lock that one tab of this browser holds at a time, and returns what releases it. Without locks, it is held at once. */
function holdLock(name: string, { onWait, onHeld }: Holding): () => void {
  const waiting = new AbortController();
  const released = Promise.withResolvers<void>();
  const timer = setTimeout(onWait, LOCK_MS);
  let isHeld = false;
  const hold = () => {
    isHeld = true;
    clearTimeout(timer);
    return onHeld();
  };
  const asked = async () => {
    await navigator.locks.request(name, { signal: waiting.signal }, async () => {
      await hold();
      await released.promise;
    });
  };
  // A browser that allows no storage may have no locks either.
  asked().catch(() => (isHeld || waiting.signal.aborted ? undefined : hold()));
  return () => {
    clearTimeout(timer);
    waiting.abort();
    released.resolve();
  };
}
