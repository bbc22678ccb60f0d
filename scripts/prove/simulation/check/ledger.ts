/** A shipment as its committed rows describe it. */
export interface KnownShipment {
  readonly id: string;
  readonly companyId: string;
  readonly shard: string;
  readonly reference: string;
  /** Its states, by version. */
  readonly states: string[];
  eventCount: number;
  /** In microseconds, as in the row. */
  window: { readonly start: number; readonly end: number };
  /** Offers of the search that runs. */
  searchOffers: number;
  lastDriverId: string | undefined;
  offer: { readonly id: string; readonly driverId: string; readonly isBirth: boolean } | undefined;
  /** The driver in the row of the dispatch. */
  namedDriverId: string | null;
  isHeld: boolean;
  /** What the registry said about its National Address. */
  address: string;
  /** An operator lets it pass, whatever the registry says. */
  isOverridden: boolean;
}

export interface KnownEndpoint {
  readonly id: string;
  readonly companyId: string;
  readonly url: string;
  state: string;
  eventTypes: readonly string[];
  /** From the answer to its creation. Undefined when that answer was lost. */
  secret: string | undefined;
}

export interface KnownDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly shipmentId: string | null;
  readonly sequence: number;
  readonly line: string | null;
  readonly isReplay: boolean;
  status: string;
  failures: number;
  wasReceived: boolean;
}

/** Times are in microseconds. */
export interface ToldCancellation {
  readonly version: number;
  readonly hasFee: boolean;
  readonly decidedAt: number;
  readonly validUntil: number;
}

/** A price lock as its company got it. */
export interface ToldLock {
  readonly companyId: string;
  /** JSON of the code and the amount of each line. */
  readonly lines: string;
  /** In microseconds. */
  readonly expiresAt: number;
}

export interface LedgerLink {
  readonly id: string;
  readonly shipmentId: string;
  readonly companyId: string;
  readonly expiresAt: number;
  revokedAt: number | null;
  version: number;
  views: number;
}

/** An amendment as it is stored. Amounts are in halalas, with VAT. */
export interface KnownAmendment {
  readonly id: string;
  readonly shipmentId: string;
  readonly companyId: string;
  state: string;
  /** When it was asked for. */
  readonly total: bigint;
  /** Null: it waits for nobody. */
  readonly decideBy: number | null;
}

/** The clock of a sandbox as it is stored. */
export interface KnownClock {
  /** How far it is ahead of the real time, in microseconds. */
  readonly offset: number;
  readonly standsAt: number | null;
  readonly isAdvancing: boolean;
  /** In real time, as everything here in microseconds. */
  readonly changedAt: number;
  /** When it last left the real time. */
  readonly firstAt: number | undefined;
  /** How far it may be shown, or used, before a time that it has shown. */
  readonly back: number;
}

/** How much of which item goes back. */
export interface ReturnedItem {
  readonly index: number;
  readonly quantity: number;
}

/** Everything that was committed, as far as the rules need it. Its only source are rows. */
export class Ledger {
  readonly shipments = new Map<string, KnownShipment>();
  /** The ids of each company's shipments, oldest first. */
  readonly shipmentsOf = new Map<string, string[]>();
  /** The shipment of each reference and of each number. */
  readonly references = new Map<string, string>();
  /** The shipment of each key that is kept. */
  readonly keys = new Map<string, string>();
  /** The latitude of each company's pickup location. Those of sandboxes never move. */
  readonly latitudes = new Map<string, string>();
  readonly holds = new Map<string, number>();
  /** Whether each driver is on duty and not blocked, and how often that was written. */
  readonly #work = new Map<string, { readonly works: boolean; readonly changes: number }>();
  /** Offers in a row that each driver let run out. */
  readonly missedOffers = new Map<string, number>();
  readonly driverPlaces = new Map<string, { taken: number; max: number }>();
  readonly #shipmentsOfDriver = new Map<string, Set<string>>();
  readonly endpoints = new Map<string, KnownEndpoint>();
  readonly endpointsOf = new Map<string, KnownEndpoint[]>();
  readonly deliveries = new Map<string, KnownDelivery>();
  /** Deliveries of one endpoint and shipment, in order. */
  readonly lines = new Map<string, KnownDelivery[]>();
  readonly events = new Map<string, { readonly body: string; readonly shipmentId: string | null }>();
  /** In degrees: where each shipment goes, and where its driver was on arrival at the door. */
  readonly pins = new Map<string, readonly [number, number]>();
  readonly doors = new Map<string, readonly [number, number] | null>();
  /** Shipments whose recipient has confirmed the destination. */
  readonly confirmed = new Set<string>();
  /** Failed shipments on which somebody has to decide, and who pays for each failure. */
  readonly undecided = new Map<string, { readonly decideBy: number; readonly defaultKind: string }>();
  readonly payers = new Map<string, string>();
  readonly carrierPays = new Set<string>();
  /** Failed without evidence, so nothing of it costs the merchant anything. */
  readonly unproven = new Set<string>();
  /** The shipment that carries the parcel of each failed one on. */
  readonly followedBy = new Map<string, string>();
  /** What each follow-up carries on. A return after the delivery carries nothing on. */
  readonly follows = new Map<
    string,
    { readonly preceding: string | undefined; readonly kind: string; readonly attempt: number }
  >();
  /** The quantity of each item of a shipment, in their order. */
  readonly quantities = new Map<string, readonly number[]>();
  /** Shipments that were delivered to a recipient, the oldest first, and what goes back from each. */
  readonly delivered: string[] = [];
  readonly returnsOf = new Map<string, { readonly id: string; readonly items: readonly ReturnedItem[] }[]>();
  /** Shipments whose price was taken back. */
  readonly credited = new Set<string>();
  /** Shipments that ask for a PIN, and all PINs that were sent. */
  readonly pinned = new Set<string>();
  readonly pinsSent = new Set<string>();
  /** The amount to collect of each shipment, as text. */
  readonly codAmounts = new Map<string, string>();
  /** The complaints of each shipment, by id. */
  readonly casesOf = new Map<string, Map<string, { kind: string; state: string }>>();
  /** The lines of the price at creation. */
  readonly terms = new Map<string, readonly { readonly code: string; readonly amount: string }[]>();
  /** The amounts of the amendments of each shipment, and the metres that it is charged for since one was priced. */
  readonly amended = new Map<string, readonly string[]>();
  readonly pricedMeters = new Map<string, number>();
  readonly vatRates = new Map<string, number>();
  /** When a driver last accepted each shipment. */
  readonly acceptedAt = new Map<string, number>();
  /** The cost of a cancellation that the merchant last read. */
  readonly previews = new Map<string, ToldCancellation>();
  /** Price-Limit of each request that has one, by correlation id, in halalas. */
  readonly limits = new Map<string, bigint>();
  readonly locks = new Map<string, ToldLock>();
  /** The shipment that each lock was used for. */
  readonly lockUsers = new Map<string, string>();
  /** How often each edge, answer and fault was seen. A rule about something that never happened proves nothing. */
  readonly seen = new Map<string, number>();
  /** The clock of each company that has advanced it. */
  readonly clocks = new Map<string, KnownClock>();
  /** The instant of each shipment's last event. */
  readonly lastEventAt = new Map<string, number>();
  readonly links = new Map<string, LedgerLink>();
  readonly linksOf = new Map<string, LedgerLink[]>();
  /** Shipments that have a rating. */
  readonly rated = new Set<string>();
  /** Companies whose shipments need a valid National Address before a driver is asked. */
  readonly requiring = new Set<string>();
  /** Shipments that an operator was asked to let pass without one. */
  readonly overridden = new Set<string>();
  /** The phone of each shipment. */
  readonly phones = new Map<string, string>();
  /** By id. */
  readonly amendments = new Map<string, KnownAmendment>();
  readonly amendmentsOf = new Map<string, KnownAmendment[]>();
  /** The status of each shipment's delivery window. */
  readonly windows = new Map<string, { readonly status: string; readonly start: number; readonly end: number }>();
  /** Shipments whose recipient does not want them, and those of which a recipient has ever said so. */
  readonly unwanted = new Set<string>();
  readonly onceUnwanted = new Set<string>();
  /** What each company lets a recipient spend, oldest first, from an instant of the schedule. */
  readonly spending = new Map<string, { readonly fromMs: number; readonly halalas: bigint }[]>();
  /** By correlation id. */
  readonly sent = new Map<string, { readonly name: string; readonly atMs: number }>();
  readonly positions = new Map<string, number>();
  /** By correlation id: the change that each request made, and the requests that were refused. */
  readonly changes = new Map<string, string>();
  readonly refused = new Set<string>();

  /** Shipments that are offered to a driver or carried by them. */
  driverShipments(driverId: string): ReadonlySet<string> {
    return this.#shipmentsOfDriver.get(driverId) ?? NONE;
  }

  give(driverId: string, shipmentId: string): void {
    const own = this.#shipmentsOfDriver.get(driverId) ?? new Set();
    this.#shipmentsOfDriver.set(driverId, own.add(shipmentId));
  }

  take(driverId: string, shipmentId: string): void {
    this.#shipmentsOfDriver.get(driverId)?.delete(shipmentId);
  }

  /** Undefined if no row of the driver was written yet. */
  workOf(driverId: string): { readonly works: boolean; readonly changes: number } | undefined {
    return this.#work.get(driverId);
  }

  setWork(driverId: string, works: boolean): void {
    this.#work.set(driverId, { works, changes: (this.#work.get(driverId)?.changes ?? 0) + 1 });
  }

  see(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }

  shipment(id: string): KnownShipment | undefined {
    return this.shipments.get(id);
  }

  versionOf(id: string): number {
    return (this.shipments.get(id)?.states.length ?? 0) - 1;
  }

  /** Whether it has to wait for its National Address. */
  isHeldBack(id: string): boolean {
    const known = this.shipments.get(id);
    return (
      known !== undefined &&
      // A follow-up carries a parcel that a driver had already.
      known.states[0] === 'PENDING_APPROVAL' &&
      this.requiring.has(known.companyId) &&
      !known.isOverridden &&
      ['MISSING', 'NOT_FOUND', 'MISMATCH'].includes(known.address)
    );
  }

  stateOf(id: string): string | undefined {
    return this.shipments.get(id)?.states.at(-1);
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Adds to a list of a map. */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
