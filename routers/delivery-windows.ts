import { MEMBER } from '../src/access/require.ts';
import { deliveryWindows as windows } from '../src/contract/delivery-window.ts';
import { uuid } from '../src/contract/values.ts';
import { orThrow } from '../src/core/problem.ts';
import { readDeliveryWindows } from '../src/domain/shipments/read-windows.ts';
import { merchantProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

export const deliveryWindows = router({
  get: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: '/v2/external/shipments/{shipmentId}/delivery-windows',
        tags: ['Shipments'],
        summary: 'Read the delivery window of a shipment, and those that can be asked for',
        description:
          'Windows of three days, from the later of now and the end of the pickup window. Each starts after the pickup window, the drive and half an hour. To ask for one, amend the shipment with its `start` as `windowStart`. Nothing is reserved: a window binds nobody until it is AGREED.',
      },
    })
    .input(request({ path: { shipmentId: uuid } }))
    .output(answer(windows))
    .query(async ({ ctx: { services, store, company }, input }) =>
      orThrow(await readDeliveryWindows({ ...services, ...store }, company, input.shipmentId)),
    ),
});
