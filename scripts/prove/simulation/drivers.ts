import type { SimulatedDriver } from '../../shared/memory/genesis.ts';
import { hold, object } from './check/rule-broken.ts';
import type { Answer, ClientContext } from './client-requests.ts';

const ACTIONS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  OFFERED: { ACCEPT: 7, DECLINE: 2, IGNORE: 1 },
  ACCEPTED: { PICK_UP: 7, RELEASE: 1, REPORT_POSITION: 1, ARRIVE: 1, ACKNOWLEDGE: 2 },
  PICKED_UP: { DEPART: 8, FAIL: 1, REPORT_POSITION: 1, ACKNOWLEDGE: 2 },
  OUT_FOR_DELIVERY: { DELIVER: 7, FAIL: 3, REPORT_POSITION: 1, ARRIVE: 2 },
};

/** Processes cache a session for 50 seconds. */
const KNOWN_AFTER_MS = 60_000;

/** Drivers that read their offers and act on them, sometimes late or twice, and sometimes on shipments of others. */
export class Drivers {
  readonly #context: ClientContext;
  readonly #asleepUntilMs = new Map<string, number>();

  constructor(context: ClientContext) {
    this.#context = context;
  }

  work(): void {
    const { dice, genesis, ledger } = this.#context;
    const driver = genesis.drivers[Math.floor(dice.roll() * genesis.drivers.length)];
    if (driver === undefined || this.#isAsleep(driver) || !this.#isSignedIn(driver)) return;
    if (ledger.workOf(driver.driverId)?.works === false && dice.roll() < 0.5) return this.#startDuty(driver);
    if (dice.roll() < 0.2) return this.#look(driver);
    const own = [...ledger.driverShipments(driver.driverId)];
    const shipmentId = own[Math.floor(dice.roll() * own.length)];
    if (shipmentId !== undefined) this.#act(driver, shipmentId);
  }

  /** Every driver acts on one of their shipments. */
  finish(): void {
    for (const driver of this.#context.genesis.drivers) {
      const own = [...this.#context.ledger.driverShipments(driver.driverId)];
      const shipmentId = own[Math.floor(this.#context.dice.roll() * own.length)];
      if (shipmentId !== undefined && !this.#isAsleep(driver) && this.#isSignedIn(driver))
        this.#act(driver, shipmentId);
    }
  }

  /** Somebody tries a phone that was lost, after every process has learned that its session was ended. */
  tryLostPhone(): void {
    const { dice, genesis, send, schedule } = this.#context;
    const ended = genesis.drivers.flatMap(({ endedTokens }) => [...endedTokens]);
    const tokens = ended.flatMap(([token, atMs]) => (schedule.nowMs - atMs > KNOWN_AFTER_MS ? [token] : []));
    const token = tokens[Math.floor(dice.roll() * tokens.length)];
    if (token === undefined) return;
    const onAnswer = ({ status, text }: Answer) => object('session', `an ended session is answered: ${status} ${text}`);
    send({ name: 'lost phone', method: 'GET', path: '/v2/driver/shipments', token, onAnswer });
  }

  #isSignedIn(driver: SimulatedDriver): boolean {
    return driver.hasPhone && this.#context.genesis.signIn(driver);
  }

  /** Acts on a shipment that may be another driver's. */
  meddle(shipmentId: string | undefined): void {
    const { dice, genesis, ledger } = this.#context;
    const driver = genesis.drivers[Math.floor(dice.roll() * genesis.drivers.length)];
    if (driver === undefined || shipmentId === undefined) return;
    const [before, was] = [ledger.versionOf(shipmentId), ledger.shipment(shipmentId)?.lastDriverId];
    const onAnswer = ({ status, text }: Answer) => {
      const isStrange = was !== driver.driverId && ledger.shipment(shipmentId)?.lastDriverId !== driver.driverId;
      const isRefused = status === 403 || !isStrange || before < 0;
      hold(isRefused, 'tenancy', () => `${driver.driverId} acts on ${shipmentId}: ${status} ${text}`);
    };
    this.#send(driver, shipmentId, { action: 'ACCEPT' }, onAnswer);
  }

  /** Now and then a driver goes home without going off duty, for some minutes. */
  #isAsleep({ driverId }: SimulatedDriver): boolean {
    const { dice, schedule } = this.#context;
    if (schedule.nowMs < (this.#asleepUntilMs.get(driverId) ?? 0)) return true;
    if (dice.roll() < 0.003) this.#asleepUntilMs.set(driverId, schedule.nowMs + dice.between(30_000, 300_000));
    return false;
  }

  #startDuty({ token }: SimulatedDriver): void {
    const body = JSON.stringify({ onDuty: true });
    this.#context.send({ name: 'duty', method: 'PUT', path: '/v2/driver/duty', token, body });
  }

  #look(driver: SimulatedDriver): void {
    const list = this.#context.dice.pick({ offers: 1, shipments: 1 });
    this.#context.send({ name: list, method: 'GET', path: `/v2/driver/${list}`, token: driver.token });
  }

  #act(driver: SimulatedDriver, shipmentId: string): void {
    const { dice, ledger, later } = this.#context;
    const choices = ACTIONS[ledger.stateOf(shipmentId) ?? ''];
    const action = choices === undefined ? 'IGNORE' : dice.pick(choices);
    if (action === 'IGNORE') return;
    const position = { latitude: 24.7, longitude: 46.6 };
    const body = {
      action,
      ...(action === 'FAIL' ? { reasonCode: this.#reasonIn(ledger.stateOf(shipmentId)) } : {}),
      ...(action === 'DELIVER' && ledger.pinned.has(shipmentId) ? { proof: { pin: this.#pinOf(shipmentId) } } : {}),
      ...(action === 'REPORT_POSITION' ? { position } : {}),
      ...(action === 'ACKNOWLEDGE' && dice.roll() < 0.5 ? { version: ledger.versionOf(shipmentId) } : {}),
      // The amount that the driver was told, unless it is wrong.
      ...(action === 'DELIVER' && dice.roll() < 0.3
        ? { collected: { amount: this.#owed(shipmentId), method: 'CASH' } }
        : {}),
    };
    this.#send(driver, shipmentId, body);
    if (dice.roll() < 0.1) later('act twice', dice.between(0, 30), () => this.#send(driver, shipmentId, body));
  }

  /** Before the departure only faults of the carrier. */
  #reasonIn(state: string | undefined): string {
    const faults = { LOST: 1, DAMAGED: 1 };
    const others = { RECIPIENT_UNREACHABLE: 1, RECIPIENT_REFUSED: 1, COD_NOT_PAID: 1, WRONG_ADDRESS: 1, OTHER: 1 };
    return this.#context.dice.pick(state === 'PICKED_UP' ? faults : { ...faults, ...others });
  }

  /** What the recipient reads on the phone, unless that is another code or the driver hears it wrong. */
  #pinOf(shipmentId: string): string {
    const { dice, ledger, codeOn } = this.#context;
    const code = codeOn(ledger.phones.get(shipmentId) ?? '') ?? '';
    const wrong = String(Math.floor(dice.roll() * 10_000)).padStart(4, '0');
    // Some recipients read it wrong again and again, until no try is left.
    // The last four digits are zero for most ids of a simulation.
    const isMisread = '0123'.includes(shipmentId.at(-5) ?? '');
    return code.length === 4 && !isMisread && dice.roll() < 0.8 ? code : wrong;
  }

  #owed(shipmentId: string): number {
    const { dice, ledger } = this.#context;
    return Number(ledger.codAmounts.get(shipmentId) ?? 0) + (dice.roll() < 0.2 ? 1 : 0);
  }

  #send(driver: SimulatedDriver, shipmentId: string, body: object, onAnswer?: (answer: Answer) => void): void {
    const path = `/v2/driver/shipments/${shipmentId}/actions`;
    this.#context.send({
      ...{ name: 'act', method: 'POST', path, token: driver.token, body: JSON.stringify(body), shipmentId },
      ...(onAnswer === undefined ? {} : { onAnswer }),
    });
  }
}
