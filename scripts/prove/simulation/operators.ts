import type { SimulatedDriver } from '../../shared/memory/genesis.ts';
import type { KnownShipment } from './check/ledger.ts';
import type { Answer, ClientContext } from './client-requests.ts';

const HANDOVER = { reasonCode: 'DRIVER_UNREACHABLE', comment: 'Nobody answers' };
/** What an operator does to a shipment in this state, and how likely. */
const ACTIONS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  PENDING_APPROVAL: { approve: 1 },
  READY_FOR_DISPATCH: { cancel: 1 },
  DISPATCH_UNRESOLVED: { retryDispatch: 3, cancel: 1 },
  ACCEPTED: { reassign: 4, cancel: 1 },
  PICKED_UP: { takeOver: 5, fail: 1 },
  OUT_FOR_DELIVERY: { takeOver: 5, fail: 1 },
};

/** Operators that block drivers, take their parcels from them, and help shipments on. Sometimes two do the same at once. */
export class Operators {
  readonly #context: ClientContext;
  readonly #token: () => string;
  /** The version of each driver's terms, by the last answer. */
  readonly #versions = new Map<string, number>();
  readonly #blocked = new Set<string>();

  constructor(context: ClientContext, token: () => string) {
    this.#context = context;
    this.#token = token;
  }

  /** Helps a shipment that a driver has, or this one. */
  help(recentId: string): void {
    const { dice, ledger, genesis } = this.#context;
    const driver = genesis.drivers[Math.floor(dice.roll() * genesis.drivers.length)];
    const held = [...ledger.driverShipments(driver?.driverId ?? '')];
    const shipmentId = held[Math.floor(dice.roll() * held.length)] ?? recentId;
    this.#helpWith(shipmentId);
  }

  #helpWith(shipmentId: string): void {
    const { dice, ledger } = this.#context;
    const shipment = ledger.shipment(shipmentId);
    const choices = ACTIONS[ledger.stateOf(shipmentId) ?? ''];
    if (shipment === undefined || choices === undefined) return;
    this.#act(shipment, dice.pick(choices));
  }

  /** Blocks a driver who keeps the parcels, or lets one work again. */
  changeDriver(): void {
    const { dice, genesis } = this.#context;
    const driver = genesis.drivers[Math.floor(dice.roll() * genesis.drivers.length)];
    if (driver !== undefined) this.#setStatus(driver, this.#blocked.has(driver.driverId) ? 'ACTIVE' : 'INACTIVE');
  }

  /** Takes everything from blocked drivers, so that others can bring it to its end. */
  finish(): void {
    const { genesis, ledger } = this.#context;
    for (const driver of genesis.drivers) {
      if (!this.#blocked.has(driver.driverId)) continue;
      this.#setStatus(driver, 'ACTIVE');
      for (const id of ledger.driverShipments(driver.driverId)) this.#helpWith(id);
    }
  }

  #act({ id, companyId, shard, offer }: KnownShipment, action: string): void {
    const { dice, ledger, genesis, later } = this.#context;
    const others = genesis.drivers.filter((one) => one.shard === shard && one.driverId !== offer?.driverId);
    const driverId = others[Math.floor(dice.roll() * others.length)]?.driverId;
    const input: Readonly<Record<string, unknown>> = {
      ...{ companyId, shipmentId: id },
      ...(action === 'approve' ? {} : { version: ledger.versionOf(id) }),
      ...(action === 'reassign' || action === 'takeOver' ? HANDOVER : {}),
      ...(action === 'takeOver' ? { driverId } : {}),
      ...(action === 'fail' ? { reasonCode: 'LOST' } : {}),
      ...(action === 'cancel' ? { reasonCode: 'OTHER' } : {}),
    };
    const send = () => this.#send(`shipments.${action}`, input, id);
    send();
    if (dice.roll() < 0.2) later('operators act at once', dice.between(0, 30), send);
  }

  #setStatus(driver: SimulatedDriver, status: 'ACTIVE' | 'INACTIVE'): void {
    const { driverId, shard } = driver;
    const version = this.#versions.get(driverId) ?? 0;
    this.#send('drivers.update', { shard, driverId, version, status }, undefined, (answer) => {
      const seen = /"(?:version|currentVersion)":(\d+)/.exec(answer.text)?.[1];
      if (seen !== undefined) this.#versions.set(driverId, Number(seen));
      if (answer.status !== 200) return;
      if (status === 'INACTIVE') this.#blocked.add(driverId);
      else this.#putOnDuty(driver);
    });
  }

  /** Blocking ended the driver's sessions. */
  #putOnDuty(driver: SimulatedDriver): void {
    const { driverId, shard } = driver;
    const input = { shard, driverId, version: this.#versions.get(driverId) ?? 0, onDuty: true };
    this.#send('drivers.setDuty', input, undefined, (answer) => {
      const seen = /"(?:version|currentVersion)":(\d+)/.exec(answer.text)?.[1];
      if (seen !== undefined) this.#versions.set(driverId, Number(seen));
      if (answer.status !== 200) return;
      this.#blocked.delete(driverId);
      this.#context.genesis.signIn(driver);
    });
  }

  #send(procedure: string, input: object, shipmentId?: string, onAnswer?: (answer: Answer) => void): void {
    this.#context.send({
      name: procedure,
      method: 'POST',
      path: `/trpc/operations.${procedure}`,
      token: this.#token(),
      body: JSON.stringify(input),
      ...(shipmentId === undefined ? {} : { shipmentId }),
      ...(onAnswer === undefined ? {} : { onAnswer }),
    });
  }
}
