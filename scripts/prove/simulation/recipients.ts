import { freshnessRules } from '../rules/requests.ts';
import { hold, requireNone } from './check/rule-broken.ts';
import type { Answer, ClientContext, ClientRequest } from './client-requests.ts';
import type { OpenLink } from './followers.ts';

/** What recipients do with a delivery, and how often. */
const DOINGS = {
  ...{
    read: 3,
    near: 3,
    far: 5,
    confirm: 2,
    place: 2,
    instructions: 2,
    code: 2,
    window: 6,
    refuse: 2,
    all: 3,
    complain: 2,
  },
} as const;
const ENDED: readonly (string | undefined)[] = ['DELIVERED', 'DELIVERY_FAILED', 'CANCELLED'];
/** Shorter than a session lasts, because clocks differ. */
const SESSION_MS = 29 * 60_000;
/** How long a shipment gets no other code. */
const CODE_SPACING_MS = 60_000;

interface Session {
  readonly link: OpenLink;
  /** The phone that has got the code. */
  readonly phone: string;
  readonly token: string;
  readonly untilMs: number;
  /** The starts of the delivery windows that were last offered. */
  windows: readonly string[];
}

interface Delivery {
  readonly version: number;
  readonly windowsOffered: readonly { readonly start: string }[];
}

interface Changed {
  readonly delivery: Delivery;
  readonly applied: readonly string[];
  readonly awaitingMerchant: readonly { readonly amendmentId: string }[];
}

/**
 * Recipients that sign in by the code on their phone, sometimes after wrong guesses, then read and change their delivery. Some go on
 * with a link that was revoked, or with a phone that is no longer that of the shipment, and some try without a code.
 */
export class Recipients {
  readonly #context: ClientContext;
  readonly #links: readonly OpenLink[];
  /** By link. */
  readonly #sessions = new Map<string, Session>();
  /** When a code was last asked for, by shipment. */
  readonly #askedMs = new Map<string, number>();
  #count = 0;

  constructor(context: ClientContext, links: readonly OpenLink[]) {
    this.#context = context;
    this.#links = links;
  }

  visit(): void {
    const { dice, wallMs } = this.#context;
    const link = this.#some();
    if (link === undefined) return;
    if (dice.roll() < 0.05) return this.#pry(link);
    const session = this.#sessions.get(link.linkId);
    if (session === undefined || session.untilMs < wallMs()) return this.#signIn(link);
    this.#act(session);
    // Somebody else has the phone of the shipment now, who has to sign in.
    if (this.#isOver(session)) this.#sessions.delete(link.linkId);
  }

  /** Mostly a link with permissions, of a shipment that is on its way. */
  #some(): OpenLink | undefined {
    const { dice, ledger, wallMs } = this.#context;
    const open = this.#links.filter(
      ({ permissions, shipmentId, expiresAtMs, linkId }) =>
        permissions.length > 0 &&
        expiresAtMs > wallMs() &&
        !ENDED.includes(ledger.stateOf(shipmentId)) &&
        (this.#sessions.has(linkId) || (this.#askedMs.get(shipmentId) ?? 0) < wallMs() - CODE_SPACING_MS),
    );
    const links = dice.roll() < 0.05 ? this.#links : open;
    return links[Math.floor(dice.roll() * links.length)];
  }

  #signIn(link: OpenLink): void {
    const { dice, ledger, later, wallMs } = this.#context;
    this.#askedMs.set(link.shipmentId, wallMs());
    const phone = ledger.phones.get(link.shipmentId) ?? '';
    const onAnswer = ({ status, text }: Answer) => {
      if (status !== 202) return;
      const { challengeId } = JSON.parse(text) as { challengeId: string };
      const guesses = dice.pick({ '0': 8, '1': 2, '6': 1 });
      for (let guess = 0; guess < Number(guesses); guess += 1) {
        later('guess', dice.between(0, 400), () => this.#type(link, challengeId, { phone, isGuess: true }));
      }
      later('type', dice.between(300, 3000), () => this.#type(link, challengeId, { phone, isGuess: false }));
    };
    this.#send(link, { name: 'recipient sign-in', method: 'POST', below: 'sign-ins', body: {}, onAnswer });
  }

  #type(
    link: OpenLink,
    challengeId: string,
    { phone, isGuess }: { readonly phone: string; readonly isGuess: boolean },
  ): void {
    const { dice, ledger, codeOn, wallMs } = this.#context;
    const known = isGuess ? String(Math.floor(dice.roll() * 1e6)).padStart(6, '0') : codeOn(phone);
    if (known === undefined) return;
    const wasOver = this.#isOver({ link, phone });
    const onAnswer = ({ status, text }: Answer) => {
      if (status !== 200) return;
      hold(!wasOver, 'recipient', () => `${phone} signs in to ${link.linkId} of ${ledger.phones.get(link.shipmentId)}`);
      const { recipientToken } = JSON.parse(text) as { recipientToken: string };
      const untilMs = wallMs() + SESSION_MS;
      this.#sessions.set(link.linkId, { link, phone, token: recipientToken, untilMs, windows: [] });
    };
    const below = `sign-ins/${challengeId}/verifications`;
    const name = isGuess ? 'recipient guess' : 'recipient verify';
    this.#send(link, { name, method: 'POST', below, body: { otp: known }, onAnswer });
  }

  /** Tries to read the delivery without a session, or with that of another link. */
  #pry(link: OpenLink): void {
    const { dice } = this.#context;
    const others = [...this.#sessions.values()].filter((other) => other.link.linkId !== link.linkId);
    const token = others[Math.floor(dice.roll() * 2 * others.length)]?.token;
    const onAnswer = ({ status }: Answer) =>
      hold(status >= 400, 'recipient', () => `${link.linkId} shows its delivery to a stranger`);
    this.#send(link, { name: 'recipient pry', method: 'GET', below: 'delivery', token, onAnswer });
  }

  #act(session: Session): void {
    const { dice, ledger } = this.#context;
    const { link } = session;
    const doing = dice.pick(DOINGS);
    if (doing === 'read') return this.#read(session);
    if (doing === 'refuse') return this.#refuse(session);
    if (doing === 'complain') return this.#complain(session);
    const wish = this.#wish(doing, session);
    if (wish === undefined) return this.#read(session);
    const versionBefore = ledger.versionOf(link.shipmentId);
    const onAnswer = (answer: Answer) => {
      if (answer.status === 200) this.#checkChanged(session, JSON.parse(answer.text) as Changed, versionBefore);
    };
    const headers = { 'if-match': dice.roll() < 0.5 ? '*' : `"${Math.max(0, versionBefore)}"` };
    const change = { name: `recipient ${doing}`, method: 'PATCH', below: 'delivery', body: wish } as const;
    this.#sendAs(session, { ...change, headers, onAnswer });
  }

  #read(session: Session): void {
    const { shipmentId } = session.link;
    const versionBefore = this.#context.ledger.versionOf(shipmentId);
    const name = 'recipient read';
    const onAnswer = ({ status, text }: Answer) => {
      if (status !== 200) return;
      const { version, windowsOffered } = JSON.parse(text) as Delivery;
      requireNone(freshnessRules({ name, shipmentId, version, versionBefore }));
      session.windows = windowsOffered.map(({ start }) => start);
    };
    this.#sendAs(session, { name, method: 'GET', below: 'delivery', onAnswer });
  }

  #refuse(session: Session): void {
    const { dice, ledger, later } = this.#context;
    const { shipmentId } = session.link;
    const onAnswer = ({ status }: Answer) =>
      hold(status !== 201 || ledger.onceUnwanted.has(shipmentId), 'acknowledged', () => `the refusal of ${shipmentId}`);
    const body = { reasonCode: 'CHANGED_MIND', comment: `Ring ${this.#next()}` };
    const refusal = { name: 'recipient refuse', method: 'POST', below: 'refusals', body, onAnswer } as const;
    this.#sendAs(session, refusal);
    if (dice.roll() < 0.5) later('refuse again', dice.between(0, 60), () => this.#sendAs(session, refusal));
  }

  #checkChanged({ link: { shipmentId } }: Session, changed: Changed, versionBefore: number): void {
    const { ledger } = this.#context;
    const { delivery, applied, awaitingMerchant } = changed;
    requireNone(freshnessRules({ name: 'recipient', shipmentId, version: delivery.version, versionBefore }));
    const isApplied = applied.length === 0 || ledger.versionOf(shipmentId) > versionBefore;
    hold(isApplied, 'acknowledged', () => `${applied.join()} of ${shipmentId} after version ${versionBefore}`);
    for (const { amendmentId } of awaitingMerchant)
      hold(ledger.amendments.has(amendmentId), 'acknowledged', () => `the change ${amendmentId} of ${shipmentId}`);
  }

  /** Complains, and reads what was said. No answer may have anything of the merchant's price. */
  #complain(session: Session): void {
    const { dice } = this.#context;
    const hidden = /amount|currency|evidence|price|charge/i;
    const onAnswer = ({ text }: Answer) => hold(!hidden.test(text), 'complaint', () => `a recipient reads ${text}`);
    const body = { kind: dice.pick({ LATE: 2, LOST: 1 }), description: `Nobody came ${this.#next()}` };
    this.#sendAs(session, { name: 'recipient complain', method: 'POST', below: 'cases', body, onAnswer });
    this.#sendAs(session, { name: 'recipient complaints', method: 'GET', below: 'cases', onAnswer });
  }

  #wish(doing: string, { windows }: Session): Readonly<Record<string, unknown>> | undefined {
    const { dice } = this.#context;
    const far = { latitude: 24.7 + Math.floor(dice.roll() * 160) / 1000, longitude: 46.62 };
    const near = { latitude: 24.79 + Math.floor(dice.roll() * 3) / 1000, longitude: 46.62 };
    const instructions = `Ring ${this.#next()}`;
    switch (doing) {
      case 'near':
        return { location: near };
      case 'far':
        return dice.roll() < 0.5 ? { location: far } : { location: far, addressLine: `Door ${this.#next()}` };
      case 'confirm':
        return { confirmed: true };
      case 'place':
        return { place: { kind: 'NEIGHBOUR', note: instructions } };
      case 'code':
        return { shortAddress: `ZZXQ${1000 + (this.#next() % 9000)}` };
      case 'window': {
        const windowStart = windows[Math.floor(dice.roll() * windows.length)];
        return windowStart === undefined ? undefined : { windowStart };
      }
      case 'all':
        return { location: far, instructions, confirmed: true };
      default:
        return { instructions };
    }
  }

  /** A session ends with its link, and when the shipment gets another phone. */
  #isOver({ link: { linkId, shipmentId }, phone }: Pick<Session, 'link' | 'phone'>): boolean {
    const { ledger } = this.#context;
    return ledger.links.get(linkId)?.revokedAt !== null || ledger.phones.get(shipmentId) !== phone;
  }

  #sendAs(session: Session, request: Sent): void {
    const { link, token, phone } = session;
    const wasOver = this.#isOver(session);
    if (wasOver) this.#context.ledger.see('a session that is over');
    const onAnswer = (answer: Answer) => {
      const isRefused = answer.status >= 400;
      hold(isRefused || !wasOver, 'recipient', () => `${request.name} of ${phone} is answered ${answer.text}`);
      request.onAnswer?.(answer);
    };
    this.#send(link, { ...request, token, onAnswer });
  }

  #send(link: OpenLink, { below, body, token, ...request }: Sent): void {
    const { company, shipmentId } = link;
    this.#context.send({
      ...request,
      ...{ path: `/v2/public/tracking/${link.token}/${below}`, company, shipmentId },
      ...(token === undefined ? {} : { token }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }
}

interface Sent extends Pick<ClientRequest, 'name' | 'method' | 'headers' | 'onAnswer'> {
  /** The path below that of the link. */
  readonly below: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly token?: string | undefined;
}
