import type { SimulatedCompany } from '../../shared/memory/genesis.ts';
import { lookRules } from '../rules/links.ts';
import { companyTime, latestTime } from './check/clock-check.ts';
import { hold, requireNone } from './check/rule-broken.ts';
import type { Answer, ClientContext } from './client-requests.ts';

const CLOCKS_MS = 1000;
const LIFE_SECONDS = 300;
const REMEMBERED_MAX = 60;

/** A link as the recipient has it. */
export interface OpenLink {
  readonly company: SimulatedCompany;
  readonly shipmentId: string;
  readonly linkId: string;
  readonly token: string;
  readonly expiresAtMs: number;
  /** What the recipient may do with it. */
  readonly permissions: readonly string[];
}

const PERMISSIONS = ['ADDRESS', 'WINDOW', 'INSTRUCTIONS', 'REFUSE'];

/** Merchants that create and revoke tracking links, and recipients who open them and rate deliveries. */
export class Followers {
  readonly #context: ClientContext;
  readonly #tokenOf: (company: SimulatedCompany) => string;
  readonly links: OpenLink[] = [];

  constructor(context: ClientContext, tokenOf: (company: SimulatedCompany) => string) {
    this.#context = context;
    this.#tokenOf = tokenOf;
  }

  makeLink(company: SimulatedCompany, shipmentId: string): void {
    const { dice } = this.#context;
    const isShort = dice.roll() < 0.5;
    const kind = dice.pick({ all: 5, some: 2, none: 3 });
    const few = PERMISSIONS.filter(() => dice.roll() < 0.6);
    const permissions = kind === 'all' ? PERMISSIONS : kind === 'some' ? few : [];
    const body = JSON.stringify({
      ...(isShort ? { expiresInSeconds: LIFE_SECONDS } : {}),
      ...(kind === 'none' ? {} : { permissions }),
    });
    const onAnswer = ({ status, text }: Answer) => {
      if (status !== 201) return;
      const { linkId, url, expiresAt } = JSON.parse(text) as { linkId: string; url: string; expiresAt: string };
      hold(this.#context.ledger.links.has(linkId), 'acknowledged', () => `link ${linkId}`);
      const token = url.slice(url.lastIndexOf('/') + 1);
      this.links.push({ company, shipmentId, linkId, token, expiresAtMs: Date.parse(expiresAt), permissions });
      if (this.links.length > REMEMBERED_MAX) this.links.shift();
    };
    const path = `/v2/external/shipments/${shipmentId}/tracking-links`;
    const request = { name: 'make link', method: 'POST', path, body, onAnswer } as const;
    this.#context.send({ ...request, token: this.#tokenOf(company), company });
  }

  follow(): void {
    const link = this.#some();
    if (link === undefined) return;
    const { ledger, wallMs } = this.#context;
    const { companyId } = link.company;
    const wasRevoked = ledger.links.get(link.linkId)?.revokedAt !== null;
    // A process may use a clock that it has read a moment ago.
    const isSettled = wallMs() - (ledger.clocks.get(companyId)?.changedAt ?? 0) / 1000 > CLOCKS_MS;
    const wasOver =
      wasRevoked ||
      (isSettled && companyTime(ledger, companyId, wallMs() * 1000) / 1000 > link.expiresAtMs + CLOCKS_MS);
    const onAnswer = ({ status, text }: Answer) => {
      const isRevoked = ledger.links.get(link.linkId)?.revokedAt !== null;
      // While a clock stands, the real time may pass it.
      const latestMs = latestTime(ledger, companyId, wallMs() * 1000) / 1000;
      const wasActive = !isRevoked && latestMs < link.expiresAtMs - CLOCKS_MS;
      const name = `a look answered with ${status} ${text.slice(0, 300)}`;
      requireNone(lookRules({ name, linkId: link.linkId, isOpened: status === 200, wasOver, wasActive }));
    };
    const { dice, send } = this.#context;
    const { shipmentId } = link;
    send({ name: 'follow', method: 'GET', path: `/v2/public/tracking/${link.token}`, shipmentId, onAnswer });
    if (dice.roll() < 0.5) this.#rate(this.links.find((one) => this.#isUnrated(one)) ?? link);
  }

  #isUnrated({ company, shipmentId, linkId, expiresAtMs }: OpenLink): boolean {
    const { ledger, wallMs } = this.#context;
    const isOpen = companyTime(ledger, company.companyId, wallMs() * 1000) / 1000 < expiresAtMs;
    const isDelivered = ledger.stateOf(shipmentId) === 'DELIVERED' && ledger.links.get(linkId)?.revokedAt === null;
    return isOpen && isDelivered && !ledger.rated.has(shipmentId);
  }

  /** Sends the form of the page, whether the shipment is delivered or not. */
  #rate({ company, token, shipmentId, linkId, expiresAtMs }: OpenLink): void {
    const { dice, ledger, send, wallMs } = this.#context;
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const body = `stars=${1 + Math.floor(dice.roll() * 5)}`;
    const wasDelivered = ledger.stateOf(shipmentId) === 'DELIVERED';
    const onAnswer = ({ status }: Answer) => {
      const latestMs = latestTime(ledger, company.companyId, wallMs() * 1000) / 1000;
      const wasActive = ledger.links.get(linkId)?.revokedAt === null && latestMs < expiresAtMs - CLOCKS_MS;
      const isDue = status === 303 && wasDelivered && wasActive;
      hold(!isDue || ledger.rated.has(shipmentId), 'acknowledged', () => `the rating of ${shipmentId}`);
    };
    send({ name: 'rate', method: 'POST', path: `/t/${token}`, headers, body, onAnswer });
  }

  revoke(): void {
    const link = this.#some();
    if (link === undefined) return;
    const { company, shipmentId, linkId } = link;
    const onAnswer = ({ status }: Answer) => {
      const isRevoked = this.#context.ledger.links.get(linkId)?.revokedAt !== null;
      hold(status !== 204 || isRevoked, 'acknowledged', () => `link ${linkId} was revoked`);
    };
    const path = `/v2/external/shipments/${shipmentId}/tracking-links/${linkId}`;
    const headers = { 'if-match': this.#context.dice.roll() < 0.5 ? '*' : '"0"' };
    const request = { name: 'revoke', method: 'DELETE', path, headers, onAnswer } as const;
    this.#context.send({ ...request, token: this.#tokenOf(company), company });
  }

  #some(): OpenLink | undefined {
    return this.links[Math.floor(this.#context.dice.roll() * this.links.length)];
  }
}
