import { MirsalError } from './mirsal-error.ts';
import type { MirsalClient, MirsalInputs, MirsalOutputs } from './router.ts';

export interface FoundShipment {
  readonly shipment: MirsalOutputs['shipments']['get'];
  /** Whether a shipment with this reference existed before the call. Its other members may differ from the order. */
  readonly isFound: boolean;
}

/**
 * Creates a shipment, or finds the one that has its `externalReference`: after a crash, or when nobody knows whether an earlier
 * creation was done. Rejects with the `MirsalError` of the creation if there is no such shipment.
 */
export async function createOrFind(
  client: Pick<MirsalClient, 'shipments'>,
  order: MirsalInputs['shipments']['create'],
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<FoundShipment> {
  try {
    return { shipment: await client.shipments.create.mutate(order, withSignal(options)), isFound: false };
  } catch (error) {
    const { externalReference } = order;
    const isDoubtful = error instanceof MirsalError && error.outcome === 'unknown';
    const existing = error instanceof MirsalError ? error.problem?.existing : undefined;
    if (!isDoubtful && existing === undefined) throw error;
    const found = await client.shipments.list
      .query({ externalReference, limit: 1 }, withSignal(options))
      .catch(() => undefined);
    const [shipment] = found?.data ?? [];
    if (shipment === undefined) throw error;
    return { shipment, isFound: true };
  }
}

function withSignal({ signal }: { readonly signal?: AbortSignal | undefined }): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
