import type { SimulatedCompany } from '../../shared/memory/genesis.ts';
import { hold } from './check/rule-broken.ts';
import type { Answer, ClientContext } from './client-requests.ts';

const SHIPMENTS = '/v2/external/shipments';

interface Told {
  readonly version: number;
  readonly allowed: boolean;
  readonly priceEffect: { readonly totalAmount: number };
}

/** Merchants that amend: at once, after a preview, or while they cancel the same version. */
export class Amenders {
  readonly #context: ClientContext;
  readonly #tokenOf: (company: SimulatedCompany) => string;
  #count = 0;

  constructor(context: ClientContext, tokenOf: (company: SimulatedCompany) => string) {
    this.#context = context;
    this.#tokenOf = tokenOf;
  }

  amend(company: SimulatedCompany, shipmentId: string): void {
    const { dice, ledger } = this.#context;
    const version = ledger.versionOf(shipmentId);
    const tag = dice.pick({ any: 3, current: 3, old: 1 });
    const ifMatch = tag === 'any' ? '*' : `"${Math.max(0, tag === 'old' ? version - 1 : version)}"`;
    const limit = dice.roll() < 0.3 ? { 'price-limit': '0' } : {};
    this.#send(company, shipmentId, { body: this.#wish(), headers: { 'if-match': ifMatch, ...limit } });
  }

  /** Amends the version that a preview was for, for what the preview said. */
  askAndAmend(company: SimulatedCompany, shipmentId: string): void {
    const body = this.#wish();
    const path = `${SHIPMENTS}/${shipmentId}/amendment-previews`;
    const onAnswer = ({ status, text }: Answer) => {
      if (status !== 200) return;
      const { version, allowed, priceEffect } = JSON.parse(text) as Told;
      const limit = { 'price-limit': String(Math.max(0, priceEffect.totalAmount)) };
      if (allowed) this.#send(company, shipmentId, { body, headers: { 'if-match': `"${version}"`, ...limit } });
    };
    this.#context.send({
      ...{ name: 'preview amendment', method: 'POST', path, body, company, shipmentId, onAnswer },
      token: this.#tokenOf(company),
    });
  }

  /** A cancellation and an amendment of one version. Only one of them may happen. */
  amendOrCancel(company: SimulatedCompany, shipmentId: string): void {
    const headers = { 'if-match': `"${this.#context.ledger.versionOf(shipmentId)}"` };
    const statuses: number[] = [];
    const onAnswer = ({ status }: Answer) => {
      statuses.push(status);
      const isBoth = statuses.filter((one) => one === 200).length > 1;
      hold(
        !isBoth,
        'precondition',
        () => `${shipmentId} was amended and cancelled in the version ${headers['if-match']}`,
      );
      if (statuses.length === 2)
        this.#context.ledger.see(`amend or cancel: ${statuses.toSorted((a, b) => a - b).join()}`);
    };
    this.#send(company, shipmentId, { body: this.#instructions(), headers, onAnswer });
    const body = JSON.stringify({ reasonCode: 'CUSTOMER_REQUEST' });
    const path = `${SHIPMENTS}/${shipmentId}/cancellations`;
    this.#context.send({
      ...{ name: 'cancel', method: 'POST', path, headers, body, company, shipmentId, onAnswer },
      token: this.#tokenOf(company),
    });
  }

  #send(
    company: SimulatedCompany,
    shipmentId: string,
    request: {
      readonly body: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly onAnswer?: (answer: Answer) => void;
    },
  ): void {
    const path = `${SHIPMENTS}/${shipmentId}/amendments`;
    const token = this.#tokenOf(company);
    this.#context.send({ name: 'amend', method: 'POST', path, company, shipmentId, token, ...request });
  }

  #wish(): string {
    const { dice, wallMs } = this.#context;
    const latitude = 24.7 + Math.floor(dice.roll() * 160) / 1000;
    switch (dice.pick({ pin: 5, near: 2, instructions: 2, window: 2, recipient: 1, city: 1 })) {
      case 'pin':
        return JSON.stringify({ location: { latitude, longitude: 46.62 }, addressLine: `Door ${this.#next()}` });
      case 'near':
        return JSON.stringify({ location: { latitude: 24.79 + Math.floor(dice.roll() * 5) / 1000, longitude: 46.62 } });
      case 'window': {
        const startMs = wallMs() + dice.roll() * 180_000;
        const [pickupWindowStart, pickupWindowEnd] = [startMs, startMs + 2 * 24 * 3600_000].map((ms) =>
          new Date(ms).toISOString(),
        );
        return JSON.stringify({ pickupWindowStart, pickupWindowEnd });
      }
      case 'recipient':
        return JSON.stringify({ recipient: { name: `Noura ${this.#next()}`, phone: '0598765432' } });
      case 'city':
        return JSON.stringify({ location: { latitude: 21.5, longitude: 39.2 } });
      default:
        return this.#instructions();
    }
  }

  #instructions(): string {
    return JSON.stringify({ instructions: `Ring ${this.#next()}` });
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }
}
