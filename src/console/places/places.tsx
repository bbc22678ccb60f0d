import type { AreaProps } from '../shell/areas.tsx';

export function Places(_props: AreaProps) {
  return <h1>Places</h1>;
}
