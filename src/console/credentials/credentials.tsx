import type { AreaProps } from '../shell/areas.tsx';

export function Credentials(_props: AreaProps) {
  return <h1>Credentials</h1>;
}
