import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { textsOf } from '../base/locale.ts';
import { type CallFailure, failureOf } from '../service/failure.ts';
import type { Loaded } from '../service/loading.ts';
import { ProblemNotice } from './problem-notice.tsx';

const TEXTS = { en: 'Loading', ar: 'جارٍ التحميل' };

/** A placeholder for content that is loading. The stylesheet shows it after 300 ms, so that fast answers do not flicker. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label={textsOf(TEXTS)}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}

interface WhenLoadedProps<Value> {
  readonly loaded: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** Shows a query's value, a placeholder while it loads, or why it failed. A value stays visible while the query runs again. */
export function WhenLoaded<Value>({ loaded, children }: WhenLoadedProps<Value>) {
  const { value, failure, reload } = loaded;
  return (
    <>
      {failure === undefined ? null : <ProblemNotice failure={failure} retry={reload} />}
      {value !== undefined ? children(value) : failure === undefined ? <Skeleton /> : null}
    </>
  );
}

/** A component whose code loads when it is first shown. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [, setIsLoaded] = useState(Loaded !== undefined);
    const [failure, setFailure] = useState<CallFailure>();
    useEffect(() => {
      if (Loaded !== undefined) return;
      load().then(
        (component) => {
          Loaded = component;
          setIsLoaded(true);
        },
        (error: unknown) => setFailure(failureOf(error)),
      );
    }, []);
    if (Loaded !== undefined) return <Loaded {...props} />;
    // A new version of the service may have replaced the file. The reloaded page has the new file names.
    return failure === undefined ? <Skeleton /> : <ProblemNotice failure={failure} retry={() => location.reload()} />;
  };
}
