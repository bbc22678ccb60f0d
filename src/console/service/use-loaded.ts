import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Failure, failureOf } from './failure.ts';
import { perform } from './perform.ts';

/** What is known of something that the service was asked for. */
export interface Loaded<Value> {
  /** What came last; undefined until something did. It stays while it is asked for again. */
  readonly value: Value | undefined;
  /** Why the last asking failed. */
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Asks the service when `key` changes, and again by `reload`. An answer to an earlier key is dropped. */
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
  return { value: state.value, failure: state.failure, isLoading: state.isLoading, reload };
}

/** Something that a person sets off: a button's work. */
export interface Work<Input> {
  readonly start: (input: Input) => Promise<boolean>;
  readonly isBusy: boolean;
  readonly failure: Failure | undefined;
  readonly forget: () => void;
}

/** Does `action` once at a time. `start` answers whether it went well; why it did not is in `failure`. */
export function useWork<Input>(action: (input: Input) => Promise<unknown>): Work<Input> {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const busy = useRef(false);
  const start = async (input: Input): Promise<boolean> => {
    if (busy.current) return false;
    busy.current = true;
    setIsBusy(true);
    setFailure(undefined);
    try {
      await perform(() => action(input));
      return true;
    } catch (error) {
      setFailure(failureOf(error));
      return false;
    } finally {
      busy.current = false;
      setIsBusy(false);
    }
  };
  return { start, isBusy, failure, forget: () => setFailure(undefined) };
}
