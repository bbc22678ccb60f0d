import { useRef } from 'preact/hooks';
import { type Outputs, service } from '../service/calls.ts';
import { useWork, type Work } from '../service/loading.ts';
import type { ShipmentRequest } from './shipment-draft.ts';

type Shipment = Outputs['shipments']['create'];

interface Creation {
  readonly work: Work<ShipmentRequest>;
  /** The key under which this order is sent, however often: nothing is made twice. Another order has another. */
  readonly keyOf: (request: ShipmentRequest) => string;
}

/** Creates shipments. After an answer that was lost the same order may be sent again. */
export function useCreation(onCreated: (shipment: Shipment) => void): Creation {
  const known = useRef({ order: '', key: '' });
  const keyOf = (request: ShipmentRequest) => {
    const order = JSON.stringify(request);
    if (known.current.order !== order) known.current = { order, key: crypto.randomUUID() };
    return known.current.key;
  };
  const work = useWork(async (request: ShipmentRequest) => {
    onCreated(await service.shipments.create.mutate({ ...request, idempotencyKey: keyOf(request) }));
  });
  return { work, keyOf };
}
