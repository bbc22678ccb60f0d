import type { AreaProps } from '../shell/areas.tsx';
import { NewShipment } from './new-shipment.tsx';
import { ShipmentList } from './shipment-list.tsx';
import { ShipmentPage } from './shipment-page.tsx';
import './shipments.css';

/** `/console/shipments`, one of them below it, and `new` for one that is not there yet. */
export function Shipments({ place, deployment }: AreaProps) {
  if (place.id === undefined) return <ShipmentList query={place.query} />;
  if (place.id === 'new') return <NewShipment deployment={deployment} query={place.query} />;
  return <ShipmentPage shipmentId={place.id} deployment={deployment} />;
}
