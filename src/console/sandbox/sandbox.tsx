import type { AreaProps } from '../shell/areas.tsx';

export function Sandbox(_props: AreaProps) {
  return <h1>Sandbox</h1>;
}
