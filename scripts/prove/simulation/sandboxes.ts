import type { SimulatedCompany } from '../../shared/memory/genesis.ts';
import { checkShownClock, companyTime, microsOf } from './check/clock-check.ts';
import { type Answer, type ClientContext, type ClientRequest } from './client-requests.ts';

const SANDBOX = '/v2/external/sandbox';
const SCENARIOS = {
  HAPPY_PATH: 3,
  NO_DRIVER: 1,
  DECLINE_THEN_ACCEPT: 1,
  DRIVER_RELEASES: 1,
  RECIPIENT_REFUSED: 1,
  ADDRESS_MISMATCH: 1,
  LOST: 1,
};

const UNDER_WAY: readonly string[] = ['OFFERED', 'ACCEPTED', 'PICKED_UP', 'OUT_FOR_DELIVERY'];

/** Merchants that use their sandbox: holds, releases, scenarios, faults, resets and its clock. */
export class Sandboxes {
  readonly #context: ClientContext;
  readonly #tokenOf: (company: SimulatedCompany) => string;

  constructor(context: ClientContext, tokenOf: (company: SimulatedCompany) => string) {
    this.#context = context;
    this.#tokenOf = tokenOf;
  }

  bootstrap(company: SimulatedCompany): void {
    const onSilence = () => this.#context.later('bootstrap again', 1000, () => this.bootstrap(company));
    this.#ask(company, { name: 'bootstrap', method: 'POST', path: `${SANDBOX}/bootstrap`, onSilence });
  }

  play(company: SimulatedCompany, shipmentId: string | undefined): void {
    const { dice } = this.#context;
    const what = dice.pick({
      bootstrap: 1,
      hold: 8,
      release: 6,
      scenario: 8,
      fault: 1,
      reset: 1,
      clock: 3,
      advance: 3,
    });
    if (what === 'clock') return this.#readClock(company);
    if (what === 'advance') return this.#advance(company);
    if (what === 'bootstrap') return this.bootstrap(company);
    if (what === 'reset') return this.#ask(company, { name: what, method: 'POST', path: `${SANDBOX}/resets` });
    if (what === 'hold') {
      const body = JSON.stringify({ held: dice.roll() < 0.8 });
      return this.#ask(company, { name: what, method: 'PUT', path: `${SANDBOX}/dispatch-hold`, body });
    }
    if (what === 'fault') {
      const body = JSON.stringify({ target: dice.pick({ ROUTING: 1, WEBHOOK_DELIVERY: 1 }), count: 2 });
      return this.#ask(company, { name: what, method: 'POST', path: `${SANDBOX}/faults`, body });
    }
    if (shipmentId === undefined) return;
    const path = `${SANDBOX}/shipments/${shipmentId}`;
    if (what === 'release') {
      return this.#ask(company, { name: what, method: 'POST', path: `${path}/dispatch-releases`, shipmentId });
    }
    const body = JSON.stringify({ name: dice.pick(SCENARIOS), stepSeconds: Math.floor(dice.roll() * 5) });
    this.#ask(company, { name: what, method: 'POST', path: `${path}/scenarios`, body, shipmentId });
  }

  #readClock(company: SimulatedCompany): void {
    const { ledger, wallMs } = this.#context;
    const { companyId } = company;
    const asked = companyTime(ledger, companyId, wallMs() * 1000);
    const onAnswer = ({ status, text }: Answer) => {
      const now = wallMs() * 1000;
      if (status === 200) checkShownClock(microsOf(nowIn(text)), { companyId, asked, ledger, now });
    };
    this.#ask(company, { name: 'clock', method: 'GET', path: `${SANDBOX}/clock`, onAnswer });
  }

  #advance(company: SimulatedCompany): void {
    const { dice, ledger, wallMs } = this.#context;
    const kind = dice.pick({ seconds: 3, to: 1, untilNext: 2 });
    const seconds = Number(dice.pick({ 2: 4, 30: 3, 600: 2, 3600: 1 }));
    const now = companyTime(ledger, company.companyId, wallMs() * 1000);
    const to = new Date(now / 1000 + seconds * 1000).toISOString();
    const order = { seconds: { seconds }, to: { to }, untilNext: { untilNext: true } }[kind];
    this.#ask(company, {
      name: 'advance',
      method: 'POST',
      path: `${SANDBOX}/clock/advances`,
      body: JSON.stringify(order),
    });
  }

  /** Releases every held shipment, and lets the drivers of the sandboxes finish theirs: only scenarios can act for them. */
  bringToAnEnd(): void {
    const { ledger, genesis } = this.#context;
    for (const company of genesis.companies.filter(({ hasSandbox }) => hasSandbox)) {
      for (const shipmentId of ledger.shipmentsOf.get(company.companyId) ?? []) {
        const state = ledger.stateOf(shipmentId) ?? '';
        const path = `${SANDBOX}/shipments/${shipmentId}`;
        if (ledger.shipment(shipmentId)?.isHeld === true && state !== 'CANCELLED') {
          this.#ask(company, { name: 'release', method: 'POST', path: `${path}/dispatch-releases` });
        } else if (UNDER_WAY.includes(state)) {
          const body = JSON.stringify({ name: 'HAPPY_PATH', stepSeconds: 0 });
          this.#ask(company, { name: 'scenario', method: 'POST', path: `${path}/scenarios`, body });
        }
      }
    }
  }

  #ask(
    company: SimulatedCompany,
    request: Pick<ClientRequest, 'name' | 'method' | 'path'> & Partial<ClientRequest>,
  ): void {
    this.#context.send({ token: this.#tokenOf(company), company, ...request });
  }
}

function nowIn(text: string): string {
  const { now } = JSON.parse(text) as { now: string };
  return now;
}
