import type { Dice } from '../../../shared/dice.ts';
import { SHIPMENTS } from '../../../shared/merchant.ts';
import {
  type CallRequest,
  memberOf,
  OPERATIONS,
  type OperationName,
  outcomeOf,
  type RecordedCall,
  readExactly,
  shipmentsSeenIn,
} from './history.ts';
import type { KnownShipment, RoundCompany } from './round-setup.ts';

/** Where the clients of a round send their requests and record the outcomes. */
export interface Line {
  readonly address: string;
  readonly calls: RecordedCall[];
}

/** How long clients wait. Some give up before the service does. */
const PATIENCE_MS = { '700': 1, '2500': 2, '6000': 4 };

const FORM = 'application/x-www-form-urlencoded';
/** Operations without a token. */
const OPEN: ReadonlySet<OperationName> = new Set(['token', 'follow']);

/** One client of a company. It sends one request at a time. */
export class Caller {
  readonly name: string;
  readonly actor: RoundCompany;
  readonly dice: Dice;
  readonly #line: Line;

  constructor(name: string, actor: RoundCompany, dice: Dice, line: Line) {
    this.name = name;
    this.actor = actor;
    this.dice = dice;
    this.#line = line;
  }

  /** Sends a request and records its outcome. It never rejects: a missing answer is an outcome. */
  async ask(ask: CallRequest, patience?: number): Promise<RecordedCall> {
    const { calls } = this.#line;
    const correlationId = uuidOf(this.dice);
    const patienceMs = patience ?? Number(this.dice.pick(PATIENCE_MS));
    const index = calls.length;
    const askedAt = performance.now();
    const open: RecordedCall = {
      ...ask,
      index,
      client: this.name,
      companyId: this.actor.company.companyId,
      correlationId,
      askedAt,
      endedAt: Number.POSITIVE_INFINITY,
      outcome: 'unknown',
      status: undefined,
      text: '',
      answer: undefined,
    };
    calls.push(open);
    const { status, text } = await this.#send(ask, correlationId, patienceMs);
    const answer = readExactly(text);
    const call: RecordedCall = {
      ...open,
      endedAt: performance.now(),
      outcome: outcomeOf(status, answer),
      status,
      text,
      answer,
    };
    calls[index] = call;
    this.#learn(call);
    return call;
  }

  async #send(ask: CallRequest, correlationId: string, patienceMs: number) {
    const [method] = OPERATIONS[ask.operation].split(' ');
    const { actor } = this;
    const isForm = ask.operation === 'token';
    const isDriver = ask.path.startsWith('/v2/driver');
    const headers: Record<string, string> = {
      'x-correlation-id': correlationId,
      ...(OPEN.has(ask.operation) ? {} : { authorization: isDriver ? actor.driverAuthorization : actor.authorization }),
      ...(ask.body === undefined ? {} : { 'content-type': isForm ? FORM : 'application/json' }),
      ...(ask.key === undefined ? {} : { 'idempotency-key': ask.key }),
      ...(ask.ifMatch === undefined ? {} : { 'if-match': ask.ifMatch === '*' ? '*' : `"${ask.ifMatch}"` }),
    };
    const content = ask.body === undefined ? {} : { body: ask.body };
    const signal = AbortSignal.timeout(patienceMs);
    try {
      const response = await fetch(`${this.#line.address}${ask.path}`, {
        method: method ?? 'GET',
        headers,
        signal,
        redirect: 'manual',
        ...content,
      });
      return { status: response.status, text: await response.text() };
    } catch {
      // Refused, cut in the middle of an answer, or too late: the history records which.
      return { status: undefined, text: '' };
    }
  }

  /** The knowledge of the company's clients, from which they continue. */
  #learn(call: RecordedCall): void {
    const { shipments, links, batches } = this.actor;
    for (const { shipmentId, version, state } of shipmentsSeenIn(call)) {
      const known = shipments.find((one) => one.shipmentId === shipmentId);
      if (known === undefined) shipments.push({ shipmentId, version, state });
      else if (known.version < version) Object.assign(known, { version, state });
    }
    const token = call.operation === 'token' ? memberOf(call.answer, 'access_token') : undefined;
    if (token !== undefined) this.actor.authorization = `Bearer ${token}`;
    const batchId = call.operation === 'batch' ? memberOf(call.answer, 'batchId') : undefined;
    const isKnown = batches.some((known) => known.batchId === batchId);
    if (batchId !== undefined && call.batch !== undefined && !isKnown) batches.push({ batchId, batch: call.batch });
    const [linkId, url] = [memberOf(call.answer, 'linkId'), memberOf(call.answer, 'url')];
    if (call.operation !== 'link' || linkId === undefined || url === undefined) return;
    links.push({ linkId, shipmentId: call.shipmentId ?? '', token: url.slice(url.lastIndexOf('/') + 1) });
  }

  /** One of the most recently seen shipments, so that clients compete for it. */
  recent(): KnownShipment | undefined {
    return pickRecent(this.dice, this.actor.shipments);
  }
}

const RECENT_MAX = 14;

export function pickRecent<Value>(dice: Dice, values: readonly Value[]): Value | undefined {
  return values[values.length - 1 - Math.floor(dice.roll() * Math.min(RECENT_MAX, values.length))];
}

/** A canonical UUID from the dice. */
export function uuidOf(dice: Dice): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(dice.roll() * 16).toString(16)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

export function shipmentPath(shipmentId: string, below = ''): string {
  return `${SHIPMENTS}/${shipmentId}${below}`;
}
