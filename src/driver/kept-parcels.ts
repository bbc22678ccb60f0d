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
/** Drivers of one phone. The parcels have addresses, so those of earlier drivers are forgotten. */
const DRIVERS_MAX = 4;

/**
 * The parcels that a driver had when the page last looked. The browser keeps them, because a driver may close the page, and
 * open it only after the shop has cancelled. A phone keeps those of several drivers, and shows each driver their own.
 */
export class KeptParcels {
  readonly #driverId: string;
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;

  constructor(driverId: string, storage: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#driverId = driverId;
    this.#storage = storage;
  }

  lost(): readonly LostParcel[] {
    return this.#read().lost;
  }

  /** Compares what the service lists with what the driver had. What waits to be sent may explain the difference later. */
  see(parcels: readonly Parcel[], actions: readonly QueuedAction[]): void {
    const { had, lost } = this.#read();
    const present = parcels.filter(({ state }) => isInHand(state));
    const isPresent = (id: string) => present.some(({ shipmentId }) => shipmentId === id);
    const missing = had.filter(({ shipmentId }) => !isPresent(shipmentId));
    const waits = missing.filter(({ shipmentId }) => actions.some((action) => action.shipmentId === shipmentId));
    const lostNow = missing.flatMap((parcel) => {
      const why = waits.includes(parcel) ? undefined : lossOf(parcels.find(isOf(parcel.shipmentId)));
      return why === undefined ? [] : [{ ...parcel, why }];
    });
    this.#write({
      had: [...present.map(kernelOf), ...waits],
      // An operator may have given it back.
      lost: [...lost.filter(({ shipmentId }) => !isPresent(shipmentId)), ...lostNow],
    });
  }

  /** Takes the answer to an action of this page: what the driver gave away is not lost. */
  settle({ shipmentId, state }: Parcel): void {
    const { had, lost } = this.#read();
    if (!isInHand(state)) this.#write({ lost, had: had.filter((parcel) => parcel.shipmentId !== shipmentId) });
  }

  understand(shipmentId: string): void {
    const { had, lost } = this.#read();
    this.#write({ had, lost: lost.filter((parcel) => parcel.shipmentId !== shipmentId) });
  }

  /** When the driver signs out. */
  forget(): void {
    this.#store(this.#others());
  }

  #read(): Omit<Kept, 'driverId'> {
    return this.#all().find(({ driverId }) => driverId === this.#driverId) ?? { had: [], lost: [] };
  }

  #write(own: Omit<Kept, 'driverId'>): void {
    this.#store([...this.#others(), { driverId: this.#driverId, ...own }].slice(-DRIVERS_MAX));
  }

  #others(): readonly Kept[] {
    return this.#all().filter(({ driverId }) => driverId !== this.#driverId);
  }

  #all(): readonly Kept[] {
    try {
      const parsed: unknown = JSON.parse(this.#storage.getItem(KEY) ?? '[]');
      return Array.isArray(parsed) ? parsed.filter(isKept) : [];
    } catch {
      return [];
    }
  }

  #store(all: readonly Kept[]): void {
    try {
      this.#storage.setItem(KEY, JSON.stringify(all));
    } catch {
      // The storage of the phone is full. The work goes on without this memory.
    }
  }
}

function isKept(value: Partial<Kept> | null): value is Kept {
  return Array.isArray(value?.had) && Array.isArray(value.lost);
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
