import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type CallFailure, failureOf } from './failure.ts';

/** The state of a query. */
export interface Loaded<Value> {
  /** The newest answer, or undefined before the first one. It stays visible while the query runs again. */
  readonly value: Value | undefined;
  /** Why the newest query failed. */
  readonly failure: CallFailure | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Runs a query when `key` changes, on `reload`, and after a failed connection when the browser is online again. The answer to an earlier key is dropped. */
export function useLoaded<Value>(key: string, load: () => Promise<Value>): Loaded<Value> {
  const [state, setState] = useState<Omit<Loaded<Value>, 'reload'> & { key: string }>({
    key,
    value: undefined,
    failure: undefined,
    isLoading: true,
  });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    let isCurrent = true;
    setState((before) => ({
      key,
      value: before.key === key ? before.value : undefined,
      failure: undefined,
      isLoading: true,
    }));
    perform(() => latest.current()).then(
      (value) => {
        if (isCurrent) setState({ key, value, failure: undefined, isLoading: false });
      },
      (error: unknown) => {
        if (isCurrent) setState((before) => ({ ...before, failure: failureOf(error), isLoading: false }));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [key, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  useOnline(state.failure, reload);
  return { value: state.value, failure: state.failure, isLoading: state.isLoading, reload };
}

/** Calls `reload` when the browser is online again after a failed connection. */
export function useOnline(failure: CallFailure | undefined, reload: () => void): void {
  const isOffline = failure?.code === 'NETWORK';
  useEffect(() => {
    if (!isOffline) return;
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [isOffline, reload]);
}

/** An action that a person starts, such as the work of a button. */
export interface Work<Input> {
  readonly start: (input: Input) => Promise<boolean>;
  readonly isBusy: boolean;
  readonly failure: CallFailure | undefined;
  readonly clearFailure: () => void;
}

/**
 * Runs `action`, one run at a time. `start` resolves to whether it succeeded; `failure` has the reason if it did not. With
 * `once` as `run` it asks for no proof: inside the dialog that asks for one, it would wait for itself.
 */
export function useWork<Input>(action: (input: Input) => Promise<unknown>, run: typeof once = perform): Work<Input> {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<CallFailure>();
  const busy = useRef(false);
  const start = async (input: Input): Promise<boolean> => {
    if (busy.current) return false;
    busy.current = true;
    setIsBusy(true);
    setFailure(undefined);
    try {
      await run(() => action(input));
      return true;
    } catch (error) {
      setFailure(failureOf(error));
      return false;
    } finally {
      busy.current = false;
      setIsBusy(false);
    }
  };
  return { start, isBusy, failure, clearFailure: () => setFailure(undefined) };
}

/** Runs an action and nothing else. */
export function once<Result>(action: () => Promise<Result>): Promise<Result> {
  return action();
}

/** What the service may ask a person to prove again before an action. `person`: somebody else is signed in. `signIn`: the sign-in is too long ago. */
export type Proof = 'session' | 'person' | 'assurance' | 'signIn';
/** Asks the person for the proof. Resolves to false if they close the dialog. */
type AskProof = (proof: Proof) => Promise<boolean>;

const PROOFS: Readonly<Record<string, Proof>> = {
  AUTHENTICATION_REQUIRED: 'session',
  SESSION_CHANGED: 'person',
  ASSURANCE_REQUIRED: 'assurance',
  REAUTHENTICATION_REQUIRED: 'assurance',
};
/** An action needs at most a new session and then a second factor. */
const PROOFS_MAX = 2;

let askProof: AskProof = () => Promise.resolve(false);
let asking: Promise<boolean> | undefined;

/** The proof that an error asks for. */
export function proofOf(error: unknown): Proof | undefined {
  const { code, problem } = failureOf(error);
  return problem?.proof === 'SIGN_IN' ? 'signIn' : PROOFS[code];
}

/** Registers the dialog that asks for proofs. The page has one. */
export function setAskProof(ask: AskProof): void {
  askProof = ask;
}

/**
 * Runs an action against the service. If the session has ended or is another's, or the service needs a second factor, a
 * dialog asks for it and the action runs again, so that nothing typed is lost. Rejects with the error of the action.
 */
async function perform<Result>(action: () => Promise<Result>): Promise<Result> {
  for (let proofs = 0; ; proofs += 1) {
    try {
      return await action();
    } catch (error) {
      const proof = proofOf(error);
      if (proof === undefined || proofs >= PROOFS_MAX || !(await askOnce(proof))) throw error;
    }
  }
}

/** A page runs several calls at once. Calls refused at the same time share one dialog. */
export function askOnce(proof: Proof): Promise<boolean> {
  asking ??= askProof(proof).finally(() => {
    asking = undefined;
  });
  return asking;
}

/** After this time without input the page stops polling, because polling would keep the session of an absent person alive. */
const IDLE_MS = 300_000;
const INPUT_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'visibilitychange', 'focus'] as const;

let seenAt = Date.now();
for (const name of INPUT_EVENTS)
  addEventListener(
    name,
    () => {
      seenAt = Date.now();
    },
    { capture: true, passive: true },
  );

/** Calls `act` every `periodMs` while `isActive` is true and a person is at the page. */
export function useEvery(periodMs: number, act: () => void, isActive: boolean): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (!isActive) return;
    const timer = setInterval(() => {
      if (!document.hidden && Date.now() - seenAt < IDLE_MS) latest.current();
    }, periodMs);
    return () => clearInterval(timer);
  }, [periodMs, isActive]);
}

/** Returns the value after it has not changed for `quietMs`, and the previous value until then. */
export function useSettled<Value>(value: Value, quietMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), quietMs);
    return () => clearTimeout(timer);
  }, [value, quietMs]);
  return settled;
}
