import type { AreaProps } from '../shell/areas.tsx';

export function Webhooks(_props: AreaProps) {
  return <h1>Webhooks</h1>;
}
