import type { SimulatedCompany } from '../../shared/memory/genesis.ts';
import { checkCharges } from './check/charge-check.ts';
import { microsOf } from './check/clock-check.ts';
import type { ToldCancellation } from './check/ledger.ts';
import { hold } from './check/rule-broken.ts';
import { type Answer, type ClientContext, type ClientRequest } from './client-requests.ts';

const SHIPMENTS = '/v2/external/shipments';
const ENDPOINTS = '/v2/external/webhook-endpoints';
const DELIVERIES = '/v2/external/webhook-deliveries';
const RECENT = 12;

type Request = Pick<ClientRequest, 'name' | 'method' | 'path'> & Partial<ClientRequest>;

/** What merchants do besides creating: read, cancel, retry, subscribe, and try ids of other companies. */
export class Merchants {
  readonly #context: ClientContext;
  readonly #tokenOf: (company: SimulatedCompany) => string;
  #hosts = 0;

  constructor(context: ClientContext, tokenOf: (company: SimulatedCompany) => string) {
    this.#context = context;
    this.#tokenOf = tokenOf;
  }

  /** A recent shipment of the company. */
  shipmentOf({ companyId }: SimulatedCompany): string | undefined {
    const own = this.#context.ledger.shipmentsOf.get(companyId) ?? [];
    return own[own.length - 1 - Math.floor(this.#context.dice.roll() * Math.min(RECENT, own.length))];
  }

  read(company: SimulatedCompany, shipmentId: string): void {
    this.#ask(company, { name: 'get', method: 'GET', path: `${SHIPMENTS}/${shipmentId}`, shipmentId });
  }

  readForeign(company: SimulatedCompany): void {
    const { genesis, dice } = this.#context;
    const other = genesis.companies[Math.floor(dice.roll() * genesis.companies.length)];
    const shipmentId = other === undefined || other === company ? undefined : this.shipmentOf(other);
    if (shipmentId === undefined) return;
    const below = dice.pick({ '': 3, '/charges': 1, '/timeline': 1, '/tracking': 1, '/tracking-links': 1 });
    const path = `${SHIPMENTS}/${shipmentId}${below}`;
    const onAnswer = ({ status, text }: Answer) => hold(status === 403, 'tenancy', () => `${path}: ${status} ${text}`);
    this.#ask(company, { name: 'get foreign', method: 'GET', path, onAnswer });
  }

  list(company: SimulatedCompany): void {
    const { dice } = this.#context;
    const filter = dice.roll() < 0.5 ? '' : '&state=READY_FOR_DISPATCH';
    const first = `${SHIPMENTS}?limit=5${filter}`;
    const onAnswer = ({ text }: Answer) => {
      const cursor = /"nextCursor":"([^"]+)"/.exec(text)?.[1];
      if (cursor === undefined) return;
      this.#ask(company, { name: 'next page', method: 'GET', path: `${first}&cursor=${cursor}` });
    };
    this.#ask(company, { name: 'list', method: 'GET', path: first, onAnswer });
  }

  look(company: SimulatedCompany, shipmentId: string): void {
    const below = this.#context.dice.pick({ timeline: 1, tracking: 1, 'tracking-links': 1 });
    this.#ask(company, { name: below, method: 'GET', path: `${SHIPMENTS}/${shipmentId}/${below}`, shipmentId });
  }

  charges(company: SimulatedCompany, shipmentId: string): void {
    const onAnswer = ({ status, text }: Answer) => {
      if (status === 200) checkCharges(shipmentId, text);
    };
    this.#ask(company, { name: 'charges', method: 'GET', path: `${SHIPMENTS}/${shipmentId}/charges`, onAnswer });
  }

  events(company: SimulatedCompany): void {
    this.#ask(company, { name: 'events', method: 'GET', path: '/v2/external/events?limit=5' });
  }

  /** Asks what the cancellation costs, then cancels the same version. A driver on the way is asked about first, because few are. */
  askAndCancel(company: SimulatedCompany, recentId: string): void {
    const { ledger } = this.#context;
    const own = ledger.shipmentsOf.get(company.companyId) ?? [];
    const shipmentId = own.find((id) => ledger.stateOf(id) === 'ACCEPTED') ?? recentId;
    const path = `${SHIPMENTS}/${shipmentId}/cancellation-preview`;
    const onAnswer = ({ status, text }: Answer) => {
      if (status !== 200) return;
      const told = toldIn(text);
      if (told !== undefined) ledger.previews.set(shipmentId, told);
      this.cancel(company, shipmentId, told?.version);
    };
    this.#ask(company, { name: 'preview', method: 'GET', path, shipmentId, onAnswer });
  }

  cancel(company: SimulatedCompany, shipmentId: string, version?: number): void {
    const body = JSON.stringify({ reasonCode: 'CUSTOMER_REQUEST' });
    const onAnswer = ({ status, text }: Answer) => {
      const isCancelled = text.includes('"state":"CANCELLED"');
      hold(status !== 200 || isCancelled, 'told', () => `a cancellation was answered with ${text}`);
    };
    const path = `${SHIPMENTS}/${shipmentId}/cancellations`;
    const condition = version === undefined ? this.#match(shipmentId) : { 'if-match': `"${version}"` };
    const limit = this.#context.dice.roll() < 0.4 ? { 'price-limit': '0' } : {};
    this.#ask(company, {
      name: 'cancel',
      method: 'POST',
      path,
      headers: { ...condition, ...limit },
      body,
      shipmentId,
      onAnswer,
    });
  }

  retryDispatch(company: SimulatedCompany, shipmentId: string): void {
    const path = `${SHIPMENTS}/${shipmentId}/dispatch-retries`;
    this.#ask(company, { name: 'retry dispatch', method: 'POST', path, headers: this.#match(shipmentId), shipmentId });
  }

  subscribe(company: SimulatedCompany): void {
    const { dice, ledger } = this.#context;
    this.#hosts += 1;
    const kind = dice.pick({ steady: 6, moody: 6, gone: 3 });
    const url = `https://${kind}-${this.#hosts}.example.com/`;
    const eventTypes = dice.roll() < 0.7 ? ['*'] : ['shipment.created', 'shipment.cancelled', 'tracking_link.created'];
    const body = JSON.stringify({ url, eventTypes });
    const onAnswer = ({ status, text }: Answer) => {
      if (status !== 201) return;
      const { endpointId, signingSecret } = JSON.parse(text) as { endpointId: string; signingSecret: string };
      const known = ledger.endpoints.get(endpointId);
      hold(known !== undefined, 'acknowledged', () => `endpoint ${endpointId}`);
      if (known !== undefined) known.secret = signingSecret;
    };
    this.#ask(company, { name: 'subscribe', method: 'POST', path: ENDPOINTS, body, onAnswer });
  }

  changeEndpoint(company: SimulatedCompany): void {
    const { dice, ledger } = this.#context;
    const own = (ledger.endpointsOf.get(company.companyId) ?? []).filter(({ state }) => state !== 'DELETED');
    const endpoint = own[Math.floor(dice.roll() * own.length)];
    if (endpoint === undefined) return;
    const path = `${ENDPOINTS}/${endpoint.id}`;
    const headers = { 'if-match': '*' };
    if (own.length > 2 && dice.roll() < 0.2)
      return this.#ask(company, { name: 'unsubscribe', method: 'DELETE', path, headers });
    const body = JSON.stringify({ enabled: endpoint.state !== 'ENABLED' || dice.roll() < 0.5 });
    this.#ask(company, { name: 'change endpoint', method: 'PATCH', path, headers, body });
  }

  replay(company: SimulatedCompany): void {
    const { dice } = this.#context;
    const onAnswer = ({ text }: Answer) => {
      const ids = [...text.matchAll(/"deliveryId":"([^"]+)"/g)].map(([, id]) => id);
      const id = ids[Math.floor(dice.roll() * ids.length)];
      if (id !== undefined) this.#ask(company, { name: 'replay', method: 'POST', path: `${DELIVERIES}/${id}/replays` });
    };
    this.#ask(company, { name: 'deliveries', method: 'GET', path: `${DELIVERIES}?limit=5`, onAnswer });
  }

  /** If-Match with the current version, an older one, or `*`. */
  #match(shipmentId: string): Readonly<Record<string, string>> {
    const { dice, ledger } = this.#context;
    const version = ledger.versionOf(shipmentId);
    const tag = dice.pick({ any: 3, current: 3, old: 1 });
    return { 'if-match': tag === 'any' ? '*' : `"${Math.max(0, tag === 'old' ? version - 1 : version)}"` };
  }

  #ask(company: SimulatedCompany, request: Request): void {
    this.#context.send({ token: this.#tokenOf(company), company, ...request });
  }
}

interface Preview {
  readonly version: number;
  readonly cancellable: boolean;
  readonly fee: { readonly totalAmount: number } | null;
  readonly decidedAt: string;
  readonly validUntil: string | null;
}

/** Undefined if nothing can be cancelled. */
function toldIn(text: string): ToldCancellation | undefined {
  const { version, cancellable, fee, decidedAt, validUntil } = JSON.parse(text) as Preview;
  if (!cancellable || fee === null) return undefined;
  return {
    version,
    hasFee: fee.totalAmount > 0,
    decidedAt: microsOf(decidedAt),
    validUntil: validUntil === null ? Number.POSITIVE_INFINITY : microsOf(validUntil),
  };
}
