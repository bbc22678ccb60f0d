import type { AreaProps } from '../shell/areas.tsx';
import { NoSuchPage } from '../shell/no-such-page.tsx';
import { DeliveriesPage } from './deliveries-page.tsx';
import { DeliveryPage } from './delivery-page.tsx';
import { EditEndpointPage } from './edit-endpoint-page.tsx';
import { EndpointPage } from './endpoint-page.tsx';
import { EndpointsPage } from './endpoints-page.tsx';
import { NewEndpointPage } from './new-endpoint-page.tsx';
import './webhooks.css';

/** Endpoints, and the log of what was delivered to them. */
export function Webhooks({ place: { id, part, query }, deployment }: AreaProps) {
  const isLocal = deployment === 'local';
  if (id === undefined) return <EndpointsPage />;
  if (id === 'new') return part === undefined ? <NewEndpointPage isLocal={isLocal} /> : <NoSuchPage />;
  if (id === 'deliveries') return part === undefined ? <DeliveriesPage query={query} /> : <DeliveryPage id={part} />;
  if (part === undefined) return <EndpointPage endpointId={id} replayId={query.get('replay') ?? undefined} />;
  return part === 'edit' ? <EditEndpointPage endpointId={id} isLocal={isLocal} /> : <NoSuchPage />;
}
