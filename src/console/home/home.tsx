import type { AreaProps } from '../shell/areas.tsx';

export function Home(_props: AreaProps) {
  return <h1>Home</h1>;
}
