import { OPERATOR_QUEUES, type OperatorQueue } from '../../../src/contract/operator-shipment.ts';
import type { KnownShipment } from './check/ledger.ts';
import { hold } from './check/rule-broken.ts';
import type { Answer, ClientContext } from './client-requests.ts';

const LIMIT = 100;
/** A driver has an hour after the pickup window, and clocks differ. */
const LATE_MS = 3_600_000 + 1000;
const WITH_GOODS: readonly (string | undefined)[] = ['ACCEPTED', 'PICKED_UP', 'OUT_FOR_DELIVERY'];

const ENDED: readonly (string | undefined)[] = ['DELIVERED', 'DELIVERY_FAILED', 'CANCELLED'];

interface Entry {
  readonly shipmentId: string;
  readonly reasonCode: string | null;
}

/**
 * Operators that read their queues. A shipment that had to wait for one of them while the answer was made must be in it, and
 * say why.
 */
export class Queues {
  readonly #context: ClientContext;
  readonly #token: () => string;

  constructor(context: ClientContext, token: () => string) {
    this.#context = context;
    this.#token = token;
  }

  read(): void {
    const { dice, send } = this.#context;
    const queue = OPERATOR_QUEUES[Math.floor(dice.roll() * OPERATOR_QUEUES.length)] ?? OPERATOR_QUEUES[0];
    const input = encodeURIComponent(JSON.stringify({ queue, limit: LIMIT }));
    const before = this.#waitingIn(queue);
    send({
      name: 'read queue',
      method: 'GET',
      path: `/trpc/operations.shipments.listQueue?input=${input}`,
      token: this.#token(),
      onAnswer: (answer) => this.#check(queue, before, answer),
    });
  }

  #check(queue: OperatorQueue, before: ReadonlyMap<string, string>, { status, text }: Answer): void {
    if (status !== 200) return;
    const { data, page } = (JSON.parse(text) as QueueAnswer).result.data;
    for (const { shipmentId, reasonCode } of data) {
      const isNamed = queue !== 'unresolved' || reasonCode !== null;
      hold(isNamed, 'waiting', () => `${shipmentId} is in the queue ${queue} without a reason`);
    }
    if (page.hasMore) return;
    const now = this.#waitingIn(queue);
    const listed = new Set(data.map(({ shipmentId }) => shipmentId));
    for (const [shipmentId, mark] of before) {
      if (now.get(shipmentId) !== mark) continue;
      this.#context.ledger.see(`waits in ${queue}`);
      hold(listed.has(shipmentId), 'waiting', () => `${shipmentId} is not in the queue ${queue}: ${text}`);
    }
  }

  /** The shipments that wait in a queue by what was committed. A mark that stays the same says that nothing has changed. */
  #waitingIn(queue: OperatorQueue): Map<string, string> {
    const { ledger } = this.#context;
    const waiting = new Map<string, string>();
    for (const shipment of ledger.shipments.values()) {
      if (!this.#waits(shipment, queue)) continue;
      const changes = ledger.workOf(shipment.offer?.driverId ?? '')?.changes;
      waiting.set(shipment.id, `${shipment.states.length} ${changes} ${shipment.address}`);
    }
    return waiting;
  }

  #waits({ id, states, offer, window }: KnownShipment, queue: OperatorQueue): boolean {
    const { wallMs } = this.#context;
    const state = states.at(-1);
    const works = this.#works(offer?.driverId ?? '');
    switch (queue) {
      case 'pendingApproval':
        // The service approves every shipment of these companies.
        return false;
      case 'lateReports':
        // Operators of the simulation take nothing back after a report, so none has to be there.
        return false;
      case 'addressBlocked':
        return this.#context.ledger.isHeldBack(id) && !ENDED.includes(state);
      case 'carriedUnverified':
        // The ledger does not know how often the registry was asked.
        return false;
      case 'unresolved':
        return state === 'DISPATCH_UNRESOLVED';
      case 'acceptedTooLong':
        return state === 'ACCEPTED' && works === true && window.end / 1000 + LATE_MS <= wallMs();
      case 'undecidedGoods':
        return this.#context.ledger.undecided.has(id);
      case 'strandedGoods':
        return WITH_GOODS.includes(state) && works === false;
    }
  }

  /** Undefined for the driver of a sandbox, until something is written of it. */
  #works(driverId: string): boolean | undefined {
    const { ledger, genesis } = this.#context;
    const isOfFleet = genesis.drivers.some((driver) => driver.driverId === driverId);
    return ledger.workOf(driverId)?.works ?? (isOfFleet ? true : undefined);
  }
}

interface QueueAnswer {
  readonly result: { readonly data: { readonly data: readonly Entry[]; readonly page: { readonly hasMore: boolean } } };
}
