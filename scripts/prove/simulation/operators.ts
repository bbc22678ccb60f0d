import type { SimulatedDriver } from '../../shared/memory/genesis.ts';
import type { KnownShipment } from './check/ledger.ts';
import type { Answer, ClientContext } from './client-requests.ts';

const HANDOVER = { reasonCode: 'PHONE_LOST', comment: 'Nobody answers' };
/** What an operator does to a shipment in this state, and how likely. */
const ACTIONS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  PENDING_APPROVAL: { approve: 1 },
  READY_FOR_DISPATCH: { cancel: 1 },
  DISPATCH_UNRESOLVED: { retryDispatch: 3, cancel: 1 },
  ACCEPTED: { reassign: 4, cancel: 1 },
  PICKED_UP: { takeOver: 5, fail: 1 },
  OUT_FOR_DELIVERY: { takeOver: 5, fail: 1 },
};

/**
 * Operators that block drivers, replace lost phones, take parcels from such drivers, and help shipments on. Sometimes two do
 * the same at once.
 */
export class Operators {
  readonly #context: ClientContext;
  readonly #token: () => string;
  /** The version of each driver's terms, by the last answer. */
  readonly #versions = new Map<string, number>();
  readonly #blocked = new Set<string>();
  /** The next phone of each driver who has lost one. */
  readonly #phones = new Map<string, string>();
  #phoneCount = 0;

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

  /** A driver loses the phone, with goods on hand if any driver has some, and calls an operator after a while. */
  losePhone(): void {
    const { dice, genesis, ledger, later } = this.#context;
    const loaded = genesis.drivers.filter(({ driverId }) => ledger.driverShipments(driverId).size > 0);
    const drivers = loaded.length === 0 ? genesis.drivers : loaded;
    const driver = drivers[Math.floor(dice.roll() * drivers.length)];
    if (driver === undefined) return;
    if (driver.hasPhone) {
      driver.hasPhone = false;
      this.#phoneCount += 1;
      this.#phones.set(driver.driverId, `059${String(this.#phoneCount).padStart(7, '0')}`);
      if (ledger.driverShipments(driver.driverId).size > 0) ledger.see('a phone is lost with goods');
    }
    later('a driver calls', dice.between(100, 6000), () => this.#replacePhone(driver));
  }

  /**
   * Takes everything from blocked drivers, so that others can bring it to its end. Drivers without a phone get one and sign
   * in again.
   */
  finish(): void {
    const { genesis, ledger } = this.#context;
    for (const driver of genesis.drivers) {
      if (!driver.hasPhone) this.#replacePhone(driver);
      // An operator whose answer was lost does not know that the driver is blocked.
      const works = ledger.workOf(driver.driverId)?.works ?? true;
      if (works && !this.#blocked.has(driver.driverId)) continue;
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
      this.#learnVersion(driverId, answer);
      if (answer.status !== 200) return;
      if (status === 'INACTIVE') this.#blocked.add(driverId);
      else this.#putOnDuty(driver);
    });
  }

  /** Ends the sessions in the lost phone. Then the driver gets a new one, or others get the parcels first. */
  #replacePhone(driver: SimulatedDriver): void {
    const { driverId, shard, token, hasPhone } = driver;
    if (hasPhone) return;
    this.#send('drivers.endSessions', { shard, driverId, reasonCode: 'PHONE_LOST' }, undefined, (answer) => {
      this.#learnVersion(driverId, answer);
      if (answer.status !== 200) return;
      const { dice, ledger, schedule } = this.#context;
      if (!driver.endedTokens.has(token)) driver.endedTokens.set(token, schedule.nowMs);
      if (dice.roll() < 0.5) for (const id of ledger.driverShipments(driverId)) this.#helpWith(id);
      this.#changePhone(driver);
    });
  }

  #changePhone(driver: SimulatedDriver): void {
    const { driverId, shard } = driver;
    const phone = this.#phones.get(driverId);
    if (phone === undefined) return;
    const input = { shard, driverId, version: this.#versions.get(driverId) ?? 0, phone };
    this.#send('drivers.changePhone', input, undefined, (answer) => {
      this.#learnVersion(driverId, answer);
      if (answer.status === 412) this.#changePhone(driver);
      if (answer.status !== 200 || this.#phones.get(driverId) !== phone) return;
      this.#phones.delete(driverId);
      driver.hasPhone = true;
    });
  }

  #learnVersion(driverId: string, { text }: Answer): void {
    const seen = /"(?:version|currentVersion)":(\d+)/.exec(text)?.[1];
    if (seen !== undefined) this.#versions.set(driverId, Number(seen));
  }

  /** Blocking has taken the driver off duty. */
  #putOnDuty(driver: SimulatedDriver): void {
    const { driverId, shard } = driver;
    const input = { shard, driverId, version: this.#versions.get(driverId) ?? 0, onDuty: true };
    this.#send('drivers.setDuty', input, undefined, (answer) => {
      this.#learnVersion(driverId, answer);
      if (answer.status === 200) this.#blocked.delete(driverId);
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
