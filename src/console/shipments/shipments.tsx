import { type AreaProps, readAddress } from '../../ui/browser/base/navigation.tsx';
import { lazy } from '../../ui/browser/kit/loading.tsx';
import { setLastOpened } from './last-opened.ts';
import './shipments.css';

const ShipmentList = lazy(async () => (await import('./shipment-list.tsx')).ShipmentList);
const NewShipment = lazy(async () => (await import('./new-shipment.tsx')).NewShipment);
const ShipmentPage = lazy(async () => (await import('./shipment-page.tsx')).ShipmentPage);
const Upload = lazy(async () => (await import('./upload.tsx')).Upload);
const DayList = lazy(async () => (await import('./day-list.tsx')).DayList);

/** The list at `/console/shipments`, the forms at `new` and `upload`, what home counted at `day`, and one shipment at its id. */
export function Shipments({ address, deployment }: AreaProps) {
  if (address.id === undefined) return <ShipmentList query={address.query} />;
  if (address.id === 'day') return <DayList query={address.query} />;
  setLastOpened(address.id);
  if (address.id === 'new') return <NewShipment deployment={deployment} query={address.query} />;
  if (address.id === 'upload') return <Upload query={address.query} />;
  return <ShipmentPage shipmentId={address.id} deployment={deployment} />;
}

// The code of the list loads beside the session, as that of the area does.
if (readAddress().id === undefined) ShipmentList.preload();
