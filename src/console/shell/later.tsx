import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { Skeleton } from '../kit/skeleton.tsx';
import { type Failure, failureOf } from '../service/failure.ts';

/** A component whose code is fetched when it is first shown. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [, setIsLoaded] = useState(Loaded !== undefined);
    const [failure, setFailure] = useState<Failure>();
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
    // A new version of the service may have replaced the file: the page knows the new names when it is loaded again.
    return failure === undefined ? <Skeleton /> : <ProblemNotice failure={failure} retry={() => location.reload()} />;
  };
}
