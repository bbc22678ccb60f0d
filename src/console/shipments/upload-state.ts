import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { type DraftInUse, DraftOwner } from '../../ui/browser/kit/draft.tsx';
import { keepLarge, readLarge } from '../../ui/browser/kit/kept-large.ts';
import type { ShipmentDraft } from './shipment-draft.ts';
import type { Matching, OrderFile } from './upload-fields.ts';
import type { PaymentAnswers } from './upload-payments.ts';
import type { UploadRow } from './upload-rows.ts';
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
  /** The rows that were sent last. */
  readonly sent: SentRows | undefined;
}

const EMPTY: UploadDraft = { sheet: undefined, rows: [], sent: undefined };
/** Thousands of rows take a moment to store, so not every key stores them. */
const PAUSE_MS = 400;
const FEW_ROWS = 500;

interface Begun {
  readonly id: string;
  readonly draft: UploadDraft;
}

function isBegun(value: unknown): value is Begun {
  return typeof value === 'object' && value !== null && 'id' in value && 'draft' in value;
}

/** The upload that this browser keeps for the person, as a draft in use. Undefined while it is read. */
export function useUploadDraft(): DraftInUse<UploadDraft> | undefined {
  const name = `${useContext(DraftOwner)}-upload`;
  const [begun, setBegun] = useState<Begun>();
  const [leftAt, setLeftAt] = useState<string>();
  const [isUnkept, setIsUnkept] = useState(false);
  const stored = useRef<UploadDraft>(undefined);
  const latest = useRef<Begun>(undefined);
  latest.current = begun;
  const store = async () => {
    const { current } = latest;
    if (current === undefined || current.draft === stored.current) return;
    stored.current = current.draft;
    setIsUnkept(!(await keepLarge(name, current.draft === EMPTY ? undefined : current)));
  };
  useEffect(() => {
    let isHere = true;
    void readLarge(name).then((kept) => {
      if (!isHere) return;
      const left = isBegun(kept?.value) ? kept.value : undefined;
      stored.current = left?.draft ?? EMPTY;
      setBegun(left ?? { id: crypto.randomUUID(), draft: EMPTY });
      setLeftAt(left === undefined || kept === undefined ? undefined : new Date(kept.savedAt).toISOString());
    });
    const leave = () => void store();
    addEventListener('pagehide', leave);
    return () => {
      isHere = false;
      removeEventListener('pagehide', leave);
      leave();
    };
  }, []);
  useEffect(() => {
    if ((begun?.draft.rows.length ?? 0) <= FEW_ROWS) return void store();
    const timer = setTimeout(() => void store(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [begun]);
  if (begun === undefined) return undefined;
  const forget = () => {
    stored.current = latest.current?.draft;
    setLeftAt(undefined);
    setIsUnkept(false);
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
        setBegun({ id: crypto.randomUUID(), draft: EMPTY });
      },
      forget,
    },
  };
}
