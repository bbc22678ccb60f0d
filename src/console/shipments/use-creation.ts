import { useRef } from 'preact/hooks';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useWork, type Work } from '../../ui/browser/service/loading.ts';
import type { ShipmentRequest } from './shipment-draft.ts';

type Shipment = Outputs['shipments']['create'];

interface Creation {
  readonly work: Work<ShipmentRequest>;
  /** The idempotency key of a request: the same on every retry, also with a fresh price lock, and a new one for another request. */
  readonly keyOf: (request: ShipmentRequest) => string;
}

/** Creates shipments. After a lost answer, a retry sends the same key, so that the shipment is not created twice. */
export function useCreation(onCreated: (shipment: Shipment) => void): Creation {
  const known = useRef({ order: '', key: '' });
  const keyOf = ({ priceLock: _priceLock, ...request }: ShipmentRequest) => {
    const order = JSON.stringify(request);
    if (known.current.order !== order) known.current = { order, key: crypto.randomUUID() };
    return known.current.key;
  };
  const work = useWork(async (request: ShipmentRequest) => {
    onCreated(await service.shipments.create.mutate({ ...request, idempotencyKey: keyOf(request) }));
  });
  return { work, keyOf };
}
