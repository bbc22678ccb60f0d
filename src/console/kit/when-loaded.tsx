import type { ComponentChildren } from 'preact';
import type { Loaded } from '../service/use-loaded.ts';
import { ProblemNotice } from './problem-notice.tsx';
import { Skeleton } from './skeleton.tsx';

interface WhenLoadedProps<Value> {
  readonly loaded: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** Shows what was loaded, or that it is on its way, or why it is not there. What is there stays while it is asked for again. */
export function WhenLoaded<Value>({ loaded, children }: WhenLoadedProps<Value>) {
  const { value, failure, reload } = loaded;
  return (
    <>
      {failure === undefined ? null : <ProblemNotice failure={failure} retry={reload} />}
      {value !== undefined ? children(value) : failure === undefined ? <Skeleton /> : null}
    </>
  );
}
