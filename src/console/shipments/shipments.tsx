import type { AreaProps } from '../shell/areas.tsx';

export function Shipments(_props: AreaProps) {
  return <h1>Shipments</h1>;
}
