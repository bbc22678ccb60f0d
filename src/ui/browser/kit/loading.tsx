import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { textsOf } from '../base/locale.ts';
import { type CallFailure, failureOf, isMissing } from '../service/failure.ts';
import { type Loaded, useOnline } from '../service/loading.ts';
import { loadAnew, loadCode, PageOutdated } from '../service/page-code.ts';
import { PageHead } from './page.tsx';
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

/** What a page is about, for a person who opens it with an id that is wrong or another company's. */
export interface Sought {
  /** The heading while the thing is not shown. */
  readonly name: string;
  /** The sentence for a thing that does not exist. */
  readonly none: string;
  /** The list of such things. */
  readonly up: { readonly to: string; readonly label: string };
}

/** Shown in place of a thing that does not exist, belongs to another company, or could not be loaded. */
export function NotShown({
  sought: { name, none, up },
  loaded: { failure, reload },
}: {
  readonly sought: Sought;
  readonly loaded: Pick<Loaded<unknown>, 'failure' | 'reload'>;
}) {
  const isNone = failure !== undefined && isMissing(failure);
  return (
    <>
      <PageHead title={isNone ? none : name} isLong={isNone} up={up} />
      {failure === undefined || isNone ? null : <ProblemNotice failure={failure} retry={reload} />}
    </>
  );
}

interface WhenLoadedProps<Value> {
  readonly loaded: Loaded<Value>;
  /** On a page about one thing. */
  readonly sought?: Sought;
  readonly children: (value: Value) => ComponentChildren;
}

/** Shows a query's value, a placeholder while it loads, or why it failed. A value stays visible while the query runs again. */
export function WhenLoaded<Value>({ loaded, sought, children }: WhenLoadedProps<Value>) {
  const { value, failure, reload } = loaded;
  if (value === undefined && failure !== undefined && sought !== undefined)
    return <NotShown sought={sought} loaded={loaded} />;
  return (
    <>
      {failure === undefined ? null : <ProblemNotice failure={failure} retry={reload} />}
      {value !== undefined ? children(value) : failure === undefined ? <Skeleton /> : null}
    </>
  );
}

function reloadPage(): void {
  location.reload();
}

/** A component whose code loads when it is first shown. */
export type LazyComponent<Props> = ComponentType<Props> & {
  /** Loads the code before that, beside other work. */
  readonly preload: () => void;
};

export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyComponent<Props> {
  let Loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const start = () => {
    loading ??= loadCode(load).then(
      (component) => {
        Loaded = component;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  const Lazy = (props: Props) => {
    const [, setIsLoaded] = useState(Loaded !== undefined);
    const [failure, setFailure] = useState<CallFailure>();
    const show = () => {
      setFailure(undefined);
      // It may have been loaded between the first rendering and this.
      start().then(
        () => setIsLoaded(true),
        (error: unknown) => {
          if (!(error instanceof PageOutdated && loadAnew())) setFailure(failureOf(error));
        },
      );
    };
    useEffect(show, []);
    // Some browsers do not ask again for code that has failed to load.
    const hasRetried = useRef(false);
    const retry = () => {
      if (hasRetried.current) reloadPage();
      hasRetried.current = true;
      show();
    };
    useOnline(failure, reloadPage);
    if (Loaded !== undefined) return <Loaded {...props} />;
    return failure === undefined ? <Skeleton /> : <ProblemNotice failure={failure} retry={retry} />;
  };
  // The component itself says why, if its code does not load.
  return Object.assign(Lazy, { preload: () => void start().catch(() => undefined) });
}
