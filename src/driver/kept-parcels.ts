import type { Parcel, QueuedAction } from './queue.ts';
import { isInHand } from './queue.ts';

/** Why the driver no longer has a parcel, although no action of this page gave it away. */
type LossReason = 'CANCELLED' | 'CLOSED' | 'TAKEN';

/** A parcel that the driver has lost. It stays on the page until the driver has understood. */
export interface LostParcel {
  readonly shipmentId: string;
  readonly shipmentNumber: string;
  readonly addressLine: string | null;
  readonly why: LossReason;
}

interface Kept {
  readonly driverId: string;
  readonly had: readonly Omit<LostParcel, 'why'>[];
  readonly lost: readonly LostParcel[];
}

const KEY = 'driver-parcels';
const NOTHING: Kept = { driverId: '', had: [], lost: [] };

/**
 * The parcels that the driver had when the page last looked, kept by the browser: whoever closes the page, and opens it
 * after the shop has cancelled, must still learn of it.
 */
export class KeptParcels {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

  constructor(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
    this.#storage = storage;
  }

  lost(): readonly LostParcel[] {
    return this.#read().lost;
  }

  /** Compares what the service lists with what the driver had. What waits to be sent may explain the difference later. */
  see(driverId: string, parcels: readonly Parcel[], actions: readonly QueuedAction[]): void {
    const kept = this.#read();
    const { had, lost } = kept.driverId === driverId ? kept : NOTHING;
    const present = parcels.filter(({ state }) => isInHand(state));
    const isPresent = (id: string) => present.some(({ shipmentId }) => shipmentId === id);
    const missing = had.filter(({ shipmentId }) => !isPresent(shipmentId));
    const waits = missing.filter(({ shipmentId }) => actions.some((action) => action.shipmentId === shipmentId));
    const lostNow = missing.flatMap((parcel) => {
      const why = waits.includes(parcel) ? undefined : lossOf(parcels.find(isOf(parcel.shipmentId)));
      return why === undefined ? [] : [{ ...parcel, why }];
    });
    this.#write({
      driverId,
      had: [...present.map(kernelOf), ...waits],
      // An operator may have given it back.
      lost: [...lost.filter(({ shipmentId }) => !isPresent(shipmentId)), ...lostNow],
    });
  }

  /** Takes the answer to an action of this page: what the driver gave away is not lost. */
  settle({ shipmentId, state }: Parcel): void {
    const { had, ...kept } = this.#read();
    if (!isInHand(state)) this.#write({ ...kept, had: had.filter((parcel) => parcel.shipmentId !== shipmentId) });
  }

  understand(shipmentId: string): void {
    const { lost, ...kept } = this.#read();
    this.#write({ ...kept, lost: lost.filter((parcel) => parcel.shipmentId !== shipmentId) });
  }

  /** When the driver signs out. */
  forget(): void {
    this.#storage.removeItem(KEY);
  }

  #read(): Kept {
    try {
      const parsed = JSON.parse(this.#storage.getItem(KEY) ?? 'null') as Kept | null;
      return Array.isArray(parsed?.had) && Array.isArray(parsed.lost) ? parsed : NOTHING;
    } catch {
      return NOTHING;
    }
  }

  #write(kept: Kept): void {
    this.#storage.setItem(KEY, JSON.stringify(kept));
  }
}

const isOf =
  (id: string) =>
  ({ shipmentId }: { readonly shipmentId: string }) =>
    shipmentId === id;

/** Only the driver delivers, so a delivered parcel was this driver’s doing on another phone. */
function lossOf(listed: Parcel | undefined): LossReason | undefined {
  if (listed === undefined) return 'TAKEN';
  if (listed.state === 'CANCELLED') return 'CANCELLED';
  return listed.state === 'DELIVERED' ? undefined : 'CLOSED';
}

function kernelOf({ shipmentId, shipmentNumber, state, pickup, destination }: Parcel) {
  const place = state === 'ACCEPTED' ? pickup : destination;
  return { shipmentId, shipmentNumber, addressLine: place?.addressLine ?? null };
}
