import { setTimeout as delay } from 'node:timers/promises';
import { SHIPMENTS } from '../../../shared/merchant.ts';
import { type Caller, pickRecent, shipmentPath } from './caller.ts';
import { bodyOf, draftOf } from './creation-bodies.ts';
import {
  type BatchBody,
  type BatchItemBody,
  type CreationBody,
  memberOf,
  nextCursorOf,
  type RecordedCall,
} from './history.ts';
import type { KnownShipment } from './round-setup.ts';

/** The actions of a merchant's systems, and their weights. */
const WEIGHTS = {
  create: 26,
  twice: 4,
  again: 3,
  contend: 3,
  get: 14,
  list: 7,
  find: 3,
  cancel: 10,
  retry: 7,
  amend: 7,
  link: 8,
  revoke: 7,
  follow: 9,
  token: 3,
  batch: 1,
};
type Deed = keyof typeof WEIGHTS;

const THINKING_MS = { min: 0, max: 90 };
/** The pause after a request without an answer. */
const AFTER_UNKNOWN_MS = 120;
const TRIES_MAX = 5;
const BATCHES = '/v2/external/shipment-batches';

/** One of a merchant's systems. Its dice choose the action; the dice and earlier answers choose the shipment. */
export class MerchantClient {
  readonly #caller: Caller;
  /** The prefix of its references and keys. */
  readonly #prefix: string;
  readonly #used: { readonly key: string; readonly draft: CreationBody }[] = [];
  #made = 0;
  #walks = 0;
  #batches = 0;
  #amendments = 0;

  constructor(caller: Caller, prefix: string) {
    this.#caller = caller;
    this.#prefix = `${prefix}-${caller.name}`;
  }

  async live(isOver: () => boolean): Promise<void> {
    const { dice } = this.#caller;
    while (!isOver()) {
      await delay(dice.between(THINKING_MS.min, THINKING_MS.max));
      const last = await this.#do(dice.pick<Deed>(WEIGHTS));
      if (last?.outcome === 'unknown') await delay(AFTER_UNKNOWN_MS);
    }
  }

  #do(deed: Deed): Promise<RecordedCall | undefined> {
    switch (deed) {
      case 'create':
        return this.#create(`${this.#prefix}-${(this.#made += 1)}`);
      case 'contend':
        return this.#create(`shared-${Math.floor(this.#caller.dice.roll() * 12)}`);
      case 'twice':
        return this.#createTwice();
      case 'again':
        return this.#createAgain();
      case 'list':
        return this.walk();
      case 'find':
        return this.#find();
      case 'token':
        return this.#signIn();
      case 'batch':
        return this.#sendBatch();
      case 'revoke':
      case 'follow':
        return this.#onLink(deed);
      case 'amend':
        return this.#amend();
      case 'get':
      case 'cancel':
      case 'retry':
      case 'link':
        return this.#onShipment(deed);
    }
  }

  #create(externalReference: string): Promise<RecordedCall> {
    const draft = draftOf(this.#caller.dice, externalReference);
    const key = this.#keyFor(draft);
    return this.#patiently(() => this.#send(key, draft));
  }

  #keyFor(draft: CreationBody): string {
    const key = `${this.#prefix}-key-${this.#used.length}-of-chaos`;
    this.#used.push({ key, draft });
    return key;
  }

  /** After an unknown outcome, most clients repeat the request with its key, and some give up. */
  async #patiently(send: (isRepeat: boolean) => Promise<RecordedCall>): Promise<RecordedCall> {
    const { dice } = this.#caller;
    const isPatient = dice.roll() < 0.7;
    let call = await send(false);
    for (let tries = 1; isPatient && call.outcome === 'unknown' && tries < TRIES_MAX; tries += 1) {
      await delay(dice.between(50, 500));
      call = await send(true);
    }
    return call;
  }

  #sendBatch(): Promise<RecordedCall> {
    const { dice } = this.#caller;
    const mode = dice.pick({ CREATE: 9, VALIDATE: 1 });
    const onInvalid = dice.pick({ SKIP: 3, STOP: 1 });
    return this.sendBatch({ mode, onInvalid, items: this.itemsOfBatch(Math.floor(dice.between(3, 20))) });
  }

  /** New shipments among which are some of earlier requests, with the same key or another, and some that are not valid. */
  itemsOfBatch(count: number): BatchItemBody[] {
    const { dice } = this.#caller;
    const items = new Map<string, CreationBody>();
    while (items.size < count) {
      const kind = dice.pick({ new: 90, again: 6, contend: 3, wrong: 1 });
      const earlier = kind === 'again' ? pickRecent(dice, this.#used) : undefined;
      const shared = `shared-${Math.floor(dice.roll() * 12)}`;
      const draft = draftOf(dice, kind === 'contend' ? shared : `${this.#prefix}-${(this.#made += 1)}`);
      if (earlier !== undefined) items.set(earlier.key, earlier.draft);
      // Its key is not used again: other requests expect to be accepted.
      else if (kind === 'wrong') items.set(`${this.#prefix}-wrong-${this.#made}-of-chaos`, { ...draft, items: [] });
      else items.set(this.#keyFor(draft), draft);
    }
    return [...items].map(([key, shipment]) => ({ key, shipment }));
  }

  /** `repeats`: an earlier batch with the same items. */
  sendBatch(batch: BatchBody, repeats?: string): Promise<RecordedCall> {
    const key = `${this.#prefix}-batch-${(this.#batches += 1)}-of-chaos`;
    const ask = { operation: 'batch', path: BATCHES, key, batch, body: bodyOf(batch) } as const;
    return this.#patiently(() => this.#caller.ask(repeats === undefined ? ask : { ...ask, batchId: repeats }));
  }

  /** Reads the progress of a batch, and returns its state. */
  async readBatch(batchId: string, patienceMs: number): Promise<string | undefined> {
    const path = `${BATCHES}/${batchId}`;
    const { answer } = await this.#caller.ask({ operation: 'batchState', path, batchId }, patienceMs);
    return memberOf(answer, 'state');
  }

  /** Reads the items of a batch, all of which are on the first page. */
  async listItems(batchId: string, patienceMs: number): Promise<void> {
    const path = `${BATCHES}/${batchId}/items?limit=100`;
    await this.readBatch(batchId, patienceMs);
    await this.#caller.ask({ operation: 'batchItems', path, batchId }, patienceMs);
  }

  #send(key: string, draft: CreationBody): Promise<RecordedCall> {
    return this.#caller.ask({ operation: 'create', path: SHIPMENTS, key, draft, body: bodyOf(draft) });
  }

  /** Sends the same creation twice at once, like a double click. */
  async #createTwice(): Promise<RecordedCall | undefined> {
    const draft = draftOf(this.#caller.dice, `${this.#prefix}-${(this.#made += 1)}`);
    const key = this.#keyFor(draft);
    const [first] = await Promise.all([this.#send(key, draft), this.#send(key, draft)]);
    return first;
  }

  /** An earlier key, with its own body or with another one. */
  async #createAgain(): Promise<RecordedCall | undefined> {
    const { dice } = this.#caller;
    const used = pickRecent(dice, this.#used);
    if (used === undefined) return undefined;
    const isSame = dice.roll() < 0.7;
    const other = draftOf(dice, `${this.#prefix}-${(this.#made += 1)}`);
    return this.#send(used.key, isSame ? used.draft : other);
  }

  /** Reads every page of the company's shipments, until one is not answered. */
  async walk(limit = Math.floor(this.#caller.dice.between(8, 60)), patienceMs?: number): Promise<RecordedCall> {
    const walk = `${this.#prefix}-walk-${(this.#walks += 1)}`;
    let path = `${SHIPMENTS}?limit=${limit}`;
    for (;;) {
      const call = await this.#caller.ask({ operation: 'list', path, walk }, patienceMs);
      const cursor = call.outcome === 'ok' ? nextCursorOf(call.answer) : undefined;
      if (cursor === undefined) return call;
      path = `${SHIPMENTS}?limit=${limit}&cursor=${encodeURIComponent(cursor)}`;
    }
  }

  #find(): Promise<RecordedCall | undefined> {
    const reference = pickRecent(this.#caller.dice, this.#used)?.draft.externalReference;
    if (reference === undefined) return Promise.resolve(undefined);
    const walk = `${this.#prefix}-walk-${(this.#walks += 1)}`;
    const path = `${SHIPMENTS}?externalReference=${reference}`;
    return this.#caller.ask({ operation: 'list', path, walk, reference });
  }

  /** Requests a new token, which needs the directory. */
  #signIn(): Promise<RecordedCall> {
    const { clientId, clientSecret } = this.#caller.actor.company;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const body = new URLSearchParams(form).toString();
    return this.#caller.ask({ operation: 'token', path: '/oauth/token', body });
  }

  #onShipment(deed: 'get' | 'cancel' | 'retry' | 'link'): Promise<RecordedCall | undefined> {
    const { dice, actor } = this.#caller;
    const stuck = actor.shipments.filter(({ state }) => state === 'DISPATCH_UNRESOLVED');
    const known = deed === 'retry' ? (pickRecent(dice, stuck) ?? this.#caller.recent()) : this.#caller.recent();
    if (known === undefined) return Promise.resolve(undefined);
    const { shipmentId } = known;
    const ifMatch = this.#tagOf(known);
    const ask = (below: string, rest: { ifMatch?: string; body?: string }) =>
      this.#caller.ask({ operation: deed, path: shipmentPath(shipmentId, below), shipmentId, ...rest });
    switch (deed) {
      case 'get':
        return ask('', {});
      case 'cancel':
        return ask('/cancellations', { ifMatch, body: JSON.stringify({ reasonCode: 'CUSTOMER_REQUEST' }) });
      case 'retry':
        return ask('/dispatch-retries', { ifMatch });
      case 'link':
        return ask('/tracking-links', { body: '{}' });
    }
  }

  #amend(): Promise<RecordedCall | undefined> {
    const known = this.#caller.recent();
    if (known === undefined) return Promise.resolve(undefined);
    const { shipmentId } = known;
    const instructions = `${this.#prefix} rings ${(this.#amendments += 1)}`;
    const [key, ifMatch] = [`${this.#prefix}-amendment-${this.#amendments}-of-chaos`, this.#tagOf(known)];
    const [path, body] = [shipmentPath(shipmentId, '/amendments'), JSON.stringify({ instructions })];
    const ask = { operation: 'amend', path, shipmentId, ifMatch, key, instructions, body } as const;
    return this.#patiently((isRepeat) => this.#caller.ask({ ...ask, isRepeat }));
  }

  /** If-Match with the current version, an older one, or `*`. */
  #tagOf({ version }: KnownShipment): string {
    const tag = this.#caller.dice.pick({ any: 3, current: 8, old: 1 });
    return tag === 'any' ? '*' : String(Math.max(0, tag === 'old' ? version - 1 : version));
  }

  #onLink(deed: 'revoke' | 'follow'): Promise<RecordedCall | undefined> {
    const link = pickRecent(this.#caller.dice, this.#caller.actor.links);
    if (link === undefined) return Promise.resolve(undefined);
    const { linkId, shipmentId, token } = link;
    if (deed === 'follow') return this.follow(linkId, token);
    const path = shipmentPath(shipmentId, `/tracking-links/${linkId}`);
    return this.#caller.ask({
      operation: 'revoke',
      path,
      shipmentId,
      linkId,
      ifMatch: this.#caller.dice.pick({ '*': 1, '0': 1 }),
    });
  }

  follow(linkId: string, token: string): Promise<RecordedCall> {
    return this.#caller.ask({ operation: 'follow', path: `/v2/public/tracking/${token}`, linkId, token });
  }
}
