import type { AreaProps } from '../shell/areas.tsx';
import { NoSuchPage } from '../shell/no-such-page.tsx';
import { DrivePage } from './drive-page.tsx';
import { SandboxPage } from './sandbox-page.tsx';
import './sandbox.css';

/** A company's sandbox: what is ready, what goes wrong on purpose, and a driver in one's own hand. */
export function Sandbox({ place: { id, part, query }, deployment }: AreaProps) {
  if (part !== undefined) return <NoSuchPage />;
  if (id === undefined) return <SandboxPage deployment={deployment} cursor={query.get('cursor') ?? undefined} />;
  return <DrivePage shipmentId={id} />;
}
