import { MirsalError } from './mirsal-error.ts';
import type { MirsalClient, MirsalInputs, MirsalOutputs } from './router.ts';

export interface FoundShipment {
  readonly shipment: MirsalOutputs['shipments']['get'];
  /**
   * Whether the shipment was found by its reference. Then its other members may differ from the order, and if no creation was
   * answered, it may be the one that this call created.
   */
  readonly isFound: boolean;
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Creates a shipment, or finds the one that has its `externalReference`: after a crash, or when nobody knows whether an earlier
 * creation was done. Rejects with the `MirsalError` of the creation if there is no such shipment.
 */
export async function createOrFind(
  client: Pick<MirsalClient, 'shipments'>,
  order: MirsalInputs['shipments']['create'],
  options: CallOptions = {},
): Promise<FoundShipment> {
  const create = async (input: typeof order) => client.shipments.create.mutate(input, withSignal(options));
  try {
    return { shipment: await create(order), isFound: false };
  } catch (error) {
    if (!isDoubtful(error)) return find(client, order, { error, options });
    try {
      // With its key the service answers with what the first creation did.
      return { shipment: await create({ ...order, idempotencyKey: error.idempotencyKey }), isFound: false };
    } catch (again) {
      return find(client, order, { error: again, options });
    }
  }
}

async function find(
  client: Pick<MirsalClient, 'shipments'>,
  { externalReference }: MirsalInputs['shipments']['create'],
  { error, options }: { readonly error: unknown; readonly options: CallOptions },
): Promise<FoundShipment> {
  const existing = error instanceof MirsalError ? error.problem?.existing : undefined;
  if (!isDoubtful(error) && existing === undefined) throw error;
  const list = client.shipments.list.query({ externalReference, limit: 1 }, withSignal(options));
  const [shipment] = (await list.catch(() => undefined))?.data ?? [];
  if (shipment === undefined) throw error;
  return { shipment, isFound: true };
}

function isDoubtful(error: unknown): error is MirsalError {
  return error instanceof MirsalError && error.outcome === 'unknown';
}

function withSignal({ signal }: CallOptions): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
