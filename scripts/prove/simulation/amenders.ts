import type { SimulatedCompany } from '../../shared/memory/genesis.ts';
import type { KnownAmendment } from './check/ledger.ts';
import { hold } from './check/rule-broken.ts';
import type { Answer, ClientContext } from './client-requests.ts';

const SHIPMENTS = '/v2/external/shipments';
const DAY_MS = 86_400_000;
const ENDED: readonly (string | undefined)[] = ['DELIVERED', 'DELIVERY_FAILED', 'CANCELLED'];
/** Some of them are lost on the way. */
const OFTEN = 60;

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
    if (dice.roll() < 0.03 && !ENDED.includes(ledger.stateOf(shipmentId))) return this.#amendOften(company, shipmentId);
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

  /** Decides a change that waits, or has waited: in time or too late, twice at once, or both ways at once. */
  decide(company: SimulatedCompany): void {
    const { dice, ledger, later } = this.#context;
    const waiting = [...ledger.amendments.values()].filter(
      ({ companyId, state }) => companyId === company.companyId && state === 'AWAITING_MERCHANT',
    );
    // The newest first, because most of the others can no longer be decided.
    const amendment = waiting.at(dice.roll() < 0.7 ? -1 : Math.floor(dice.roll() * waiting.length));
    if (amendment === undefined) return;
    const choose = () => dice.pick({ accept: 3, reject: 1 });
    this.#decide(company, amendment, choose());
    if (dice.roll() < 0.2) later('decide again', dice.between(0, 30), () => this.#decide(company, amendment, choose()));
  }

  #decide(company: SimulatedCompany, { id, shipmentId }: KnownAmendment, name: 'accept' | 'reject'): void {
    const { dice, ledger } = this.#context;
    const onAnswer = ({ status, text }: Answer) => {
      if (status !== 200) return;
      const { state } = JSON.parse(text) as { state: string };
      const stored = ledger.amendments.get(id)?.state;
      hold(state === stored, 'acknowledged', () => `amendment ${id} is answered as ${state}, and is ${stored}`);
    };
    const path = `${SHIPMENTS}/${shipmentId}/amendments/${id}/decisions`;
    const body = JSON.stringify({ decision: name.toUpperCase() });
    const headers = { 'if-match': dice.pick({ '*': 5, '"0"': 4, '"1"': 1 }) };
    const token = this.#tokenOf(company);
    this.#context.send({ name, method: 'POST', path, headers, body, company, token, onAnswer });
  }

  /** More often than a shipment can be amended. */
  #amendOften(company: SimulatedCompany, shipmentId: string): void {
    const headers = { 'if-match': '*' };
    for (let count = 0; count < OFTEN; count += 1) {
      const body = this.#instructions();
      this.#context.later('amend often', 40 * count, () => this.#send(company, shipmentId, { body, headers }));
    }
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
    switch (
      dice.pick({ pin: 5, near: 2, instructions: 2, window: 2, delivery: 4, recipient: 2, code: 1, city: 1, cod: 4 })
    ) {
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
      case 'delivery': {
        // At two in the afternoon in Riyadh, after the pickup windows of two days.
        const startMs = (Math.floor(wallMs() / DAY_MS) + Number(dice.pick({ 3: 3, 4: 1 }))) * DAY_MS + 11 * 3600_000;
        return JSON.stringify({ windowStart: new Date(startMs).toISOString() });
      }
      case 'recipient':
        return JSON.stringify({
          recipient: { name: `Noura ${this.#next()}`, phone: `057${String(this.#count).padStart(7, '0')}` },
        });
      case 'code':
        return JSON.stringify({ shortAddress: `ZZXQ${1000 + (this.#next() % 9000)}` });
      // Refused for shipments that are prepaid.
      case 'cod':
        return JSON.stringify({ codAmount: Math.floor(dice.roll() * 300) / 2 });
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
