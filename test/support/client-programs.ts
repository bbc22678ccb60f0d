/* Programs that use the client's package. They have to compile. */

/** The client of the package. */
export const PROGRAM = `
import { createMirsalClient, listAll, MirsalError, type MirsalInputs, type Shipment, verifyWebhook } from 'mirsal-client';
import { createMirsalRest } from 'mirsal-client/rest';
import { verifyWebhook as verifyAlone } from 'mirsal-client/verify-webhook';

const options = { baseUrl: 'https://api.example.com', clientId: 'id', clientSecret: 'secret' };
const client = createMirsalClient(options);
export async function work(order: MirsalInputs['shipments']['create'], bytes: Uint8Array): Promise<string> {
  const shipment: Shipment = await client.shipments.create.mutate(order);
  for await (const { version } of listAll(client.shipments.list, { state: 'OFFERED' })) version.toFixed();
  await client.shipments.cancel.mutate({ shipmentId: shipment.shipmentId, ifMatch: '*', reasonCode: 'DUPLICATE' });
  const content = { contentType: 'image/png', bytes };
  await client.mediaAssets.create.mutate({ externalReference: 'order-1', content });
  const event = await verifyWebhook('whsec_', { headers: {}, body: '' });
  const same: typeof event = await verifyAlone(['whsec_'], { headers: new Headers(), body: '' });
  const { body } = await createMirsalRest(options)<{ data: string[] }>('GET', '/v2/external/shipments');
  // @ts-expect-error A query cannot be called as a mutation.
  await client.shipments.list.mutate({});
  // @ts-expect-error An id is text.
  await client.shipments.get.query({ shipmentId: 3 });
  return shipment.declaredValue + same.type + body.data.length;
}
export const codeOf = (error: unknown) => (error instanceof MirsalError ? error.code : undefined);
`;

/** tRPC's own client, with the types of the package. */
export const STOCK_PROGRAM = `
import { createTRPCClient, httpBatchLink, httpLink } from '@trpc/client';
import type { MirsalInputs, Shipment } from 'mirsal-client';
import type { AppRouter } from 'mirsal-client/app-router';

export async function work(order: MirsalInputs['shipments']['create']): Promise<void> {
  for (const link of [httpLink, httpBatchLink]) {
    const client = createTRPCClient<AppRouter>({ links: [link({ url: 'https://api.example.com/trpc' })] });
    const read: Shipment = await client.shipments.get.query({ shipmentId: 'id' });
    await client.shipments.create.mutate({ ...order, idempotencyKey: read.shipmentId });
    // @ts-expect-error Only the client of this package adds the key.
    await client.shipments.create.mutate(order);
  }
}
`;
