import type { SimulatedCompany } from '../../shared/memory/genesis.ts';
import { replayRules } from '../rules/requests.ts';
import { conflictRules } from '../rules/shipments.ts';
import { linesOf } from './check/charge-check.ts';
import { companyTime, microsOf } from './check/clock-check.ts';
import { hold, object, requireNone } from './check/rule-broken.ts';
import { type Answer, type ClientContext } from './client-requests.ts';
import { codeOf } from './registry.ts';

/** A shipment that a merchant wants to create, under one key. */
interface Intent {
  readonly company: SimulatedCompany;
  readonly reference: string;
  readonly key: string;
  readonly body: string;
  /** National-Address, if the merchant knows it. */
  readonly address: Readonly<Record<string, string>>;
  /** Price-Lock or Price-Limit, if the merchant minds the price. */
  readonly prices: Readonly<Record<string, string>>;
  readonly lockId?: string;
  /** Members that the answer must contain, digit by digit. */
  readonly exact: readonly string[];
  readonly firstMs: number;
  firstAnswer: string | undefined;
  isDecided: boolean;
  tries: number;
}

interface LockedMembers {
  readonly pickupLocationCode: string;
  readonly destination: { readonly latitude: number; readonly longitude: number; readonly cityCode: string };
}

interface ToldLockAnswer {
  readonly priceLock: string;
  readonly lockId: string;
  readonly breakdown: readonly { readonly code: string; readonly amount: number }[];
  readonly expiresAt: string;
}

/** A little shorter than keys are kept, because clocks differ. */
const KEY_KEPT_MS = 7 * 24 * 3600_000 - 60_000;
/** A leap of the clock ends every window that was open. Without one, a body is as valid when it is sent again. */
const WINDOW_MS = 2 * 24 * 3600_000;
const REMEMBERED_MAX = 400;
/** Tariffs change, pickup locations move and locks expire, so a creation is refused after its key is forgotten. */
const PRICE_IS_OVER = /PRICE_LOCK_EXPIRED|PRICE_LOCK_MISMATCH|PRICE_LIMIT_EXCEEDED/;
const IN_PROGRESS = 'IDEMPOTENCY_REQUEST_IN_PROGRESS';

/** Merchants that create shipments, retry, send twice at once, and reuse keys and references. */
export class Creations {
  readonly #context: ClientContext;
  readonly #intents: Intent[] = [];
  readonly #tokenOf: (company: SimulatedCompany) => string;
  #count = 0;

  constructor(context: ClientContext, tokenOf: (company: SimulatedCompany) => string) {
    this.#context = context;
    this.#tokenOf = tokenOf;
  }

  create(company: SimulatedCompany): void {
    const { dice } = this.#context;
    const intent = this.#draft(company);
    const minds = dice.pick({ nothing: 6, lock: 3, limit: 1 });
    if (minds === 'lock') return this.#lock(intent);
    const limit = { 'price-limit': dice.roll() < 0.5 ? '30' : '60' };
    this.#begin(minds === 'limit' ? { ...intent, prices: limit } : intent);
  }

  /** Holds the price first, and creates at once or, because people think about prices, up to a minute later. */
  #lock(intent: Intent): void {
    const { dice, ledger, later, send } = this.#context;
    const { company } = intent;
    const { pickupLocationCode, destination } = JSON.parse(intent.body) as LockedMembers;
    const { latitude, longitude, cityCode } = destination;
    const body = JSON.stringify({
      pickupLocationCode,
      destination: { latitude, longitude, cityCode },
      expiresInSeconds: 60,
    });
    const onAnswer = ({ status, text }: Answer) => {
      if (status !== 200) return;
      const { priceLock, lockId, breakdown, expiresAt } = JSON.parse(text) as ToldLockAnswer;
      const lines = linesOf(breakdown);
      ledger.locks.set(lockId, { companyId: company.companyId, lines, expiresAt: microsOf(expiresAt) });
      const locked = { ...intent, prices: { 'price-lock': priceLock }, lockId };
      const delayMs = dice.roll() < 0.6 ? 0 : dice.between(0, 65_000);
      later('use lock', delayMs, () => this.#begin({ ...locked, firstMs: this.#context.wallMs() }));
    };
    const ask = { name: 'lock price', method: 'POST', path: '/v2/external/price-locks' } as const;
    send({ ...ask, token: this.#tokenOf(company), company, body, onAnswer });
  }

  #begin(intent: Intent): void {
    const { dice } = this.#context;
    this.#intents.push(intent);
    if (this.#intents.length > REMEMBERED_MAX) this.#intents.shift();
    this.#send(intent);
    // An impatient client sends the same request again while the first may still be running.
    if (dice.roll() < 0.15) this.#context.later('again', dice.between(0, 40), () => this.#send(intent));
  }

  /** Repeats an earlier creation, whatever its outcome. Every other time it is one whose key is forgotten, if there is one. */
  repeat(): void {
    const some = this.#some();
    const isOld = (intent: Intent) => intent.firstAnswer !== undefined && this.#isKeyForgotten(intent);
    const intent = this.#count % 2 === 0 ? (this.#intents.find(isOld) ?? some) : some;
    if (intent !== undefined) this.#send(intent);
  }

  reuseKey(): void {
    const intent = this.#some();
    if (intent === undefined) return;
    const body = intent.body.replace(
      /"codAmount":\d+,"paymentMethod":"[A-Z]+"/,
      '"codAmount":0.5,"paymentMethod":"COD"',
    );
    // Without its lock and limit, which would be refused first while the key is free.
    this.#ask('reuse key', { ...intent, prices: {} }, body, ({ status, text }) => {
      if (this.#isKeyForgotten(intent) || text.includes(IN_PROGRESS)) return;
      // Until the first creation is decided, this one may get the key.
      if (intent.firstAnswer === undefined) return void (intent.isDecided ||= status < 300);
      hold(
        status === 422 && text.includes('IDEMPOTENCY_KEY_REUSED'),
        'key',
        () => `${intent.key} again: ${status} ${text}`,
      );
    });
  }

  /** Another shipment of the company with the same lock. Whichever comes first has it. */
  reuseLock(): void {
    const intent = this.#some();
    if (intent?.lockId === undefined) return;
    const { key, reference } = this.#draft(intent.company);
    const body = intent.body.replace(intent.reference, reference);
    const { lockId } = intent;
    this.#ask('reuse lock', { ...intent, key }, body, ({ status, text }) => {
      const { ledger } = this.#context;
      if (status < 300) this.#judgeLock(lockId, idOf(text));
      if (text.includes('PRICE_LOCK_USED')) {
        hold(ledger.lockUsers.get(lockId) === idOf(text), 'lock', () => `${lockId} is said to be used: ${text}`);
      }
    });
  }

  #judgeLock(lockId: string, id: string): void {
    const user = this.#context.ledger.lockUsers.get(lockId);
    hold(user === id, 'lock', () => `${id} was created with ${lockId}, which ${user} has`);
  }

  reuseReference(): void {
    const intent = this.#some();
    if (intent === undefined || intent.firstAnswer === undefined) return;
    const known = idOf(intent.firstAnswer);
    const other = { ...intent, key: this.#newKey(), prices: {} };
    this.#ask('reuse reference', other, intent.body, (answer) => {
      // Its sandbox may have advanced its clock past the window, which is found before the reference.
      if (isWindowOver(answer.text)) this.#requireWindowPast(intent);
      else checkConflict(answer, known);
    });
  }

  #requireWindowPast({ company, body }: Intent): void {
    const { ledger, wallMs } = this.#context;
    const end = /"pickupWindowEnd":"([^"]+)"/.exec(body)?.[1] ?? '';
    const nowMs = companyTime(ledger, company.companyId, wallMs() * 1000) / 1000;
    hold(Date.parse(end) <= nowMs, 'reference', () => `a window until ${end} is said to be past`);
  }

  /** Creations whose outcome no client knows yet. */
  get undecided(): number {
    return this.#intents.filter(({ isDecided }) => !isDecided).length;
  }

  decideAll(): void {
    for (const intent of this.#intents) if (!intent.isDecided) this.#send(intent);
  }

  checkAcknowledged(): void {
    for (const { firstAnswer, reference } of this.#intents) {
      if (firstAnswer === undefined) continue;
      const id = idOf(firstAnswer);
      hold(this.#context.ledger.shipments.has(id), 'acknowledged', () => `${reference}, ${id}`);
    }
  }

  #some(): Intent | undefined {
    return this.#intents[Math.floor(this.#context.dice.roll() * this.#intents.length)];
  }

  #send(intent: Intent): void {
    intent.tries += 1;
    const isReplay = intent.firstAnswer !== undefined;
    this.#ask(
      'create',
      intent,
      intent.body,
      (answer) => {
        // Of two at once, one may have read before the sandbox had its branch. Its answer may come last.
        if (!isReplay && answer.text.includes('BRANCH_UNKNOWN')) intent.isDecided = true;
        else this.#judge(intent, answer);
      },
      () => {
        const { dice, later } = this.#context;
        if (intent.tries < 5) later('retry', dice.between(100, 5000), () => this.#send(intent));
      },
    );
  }

  #judge(intent: Intent, { status, text }: Answer): void {
    const { ledger } = this.#context;
    if (text.includes(IN_PROGRESS)) return;
    intent.isDecided = true;
    if (status >= 300) {
      const isForgotten = this.#isKeyForgotten(intent);
      if (intent.firstAnswer === undefined) return;
      if (isForgotten && (isWindowOver(text) || PRICE_IS_OVER.test(text))) return;
      if (isForgotten && status === 409) return checkConflict({ status, text }, idOf(intent.firstAnswer));
      return object(
        'replay',
        `${intent.key}, which was answered with ${idOf(intent.firstAnswer)}, got ${status} ${text}`,
      );
    }
    hold(status === 201 || status === 200, 'replay', () => `a creation was answered with ${status}`);
    const id = idOf(text);
    const known = ledger.shipments.get(id);
    const isOurs = known?.reference === intent.reference && known.companyId === intent.company.companyId;
    hold(isOurs, 'acknowledged', () => `${intent.reference} is not ${id}`);
    const bound = ledger.keys.get(`${intent.company.companyId} ${intent.company.clientId} ${intent.key}`);
    hold(
      bound === id || this.#isKeyForgotten(intent),
      'acknowledged',
      () => `${intent.key} is bound to ${bound}, not ${id}`,
    );
    requireNone(replayRules(intent.key, intent.firstAnswer ?? text, text));
    intent.firstAnswer = text;
    if (intent.lockId !== undefined) this.#judgeLock(intent.lockId, id);
    for (const part of intent.exact) hold(text.includes(part), 'exact', () => `${part} is not in ${text}`);
  }

  #isKeyForgotten({ firstMs }: Intent): boolean {
    return this.#context.wallMs() - firstMs > KEY_KEPT_MS;
  }

  #ask(name: string, intent: Intent, body: string, onAnswer: (answer: Answer) => void, onSilence?: () => void): void {
    const { company, key, address, prices } = intent;
    this.#context.send({
      ...{ name, method: 'POST', path: '/v2/external/shipments', token: this.#tokenOf(company), company },
      ...{ headers: { 'idempotency-key': key, ...address, ...prices }, body, onAnswer },
      ...(onSilence === undefined ? {} : { onSilence }),
    });
  }

  #address(): Readonly<Record<string, string>> {
    const kind = this.#context.dice.pick({ none: 4, near: 6, far: 2, unknown: 1 });
    return kind === 'none' ? {} : { 'national-address': codeOf(kind, this.#count) };
  }

  #newKey(): string {
    this.#count += 1;
    return `key-${String(this.#count).padStart(16, '0')}`;
  }

  #draft(company: SimulatedCompany): Intent {
    const { dice } = this.#context;
    const key = this.#newKey();
    const reference = `order-${this.#count}`;
    const items = Array.from({ length: 1 + Math.floor(dice.roll() * 3) }, () => ({
      quantity: 1 + Math.floor(dice.roll() * 9),
      // Millionths of a kilogram; sometimes with more digits than a double can represent.
      micros: BigInt(1 + Math.floor(dice.roll() * 4e6)) + (dice.roll() < 0.06 ? 1234567890123000001n : 0n),
    }));
    const total = items.reduce((sum, { quantity, micros }) => sum + BigInt(quantity) * micros, 0n);
    const value = decimalOf(BigInt(Math.floor(dice.roll() * 1e6)), 2);
    const isSandbox = company.hasSandbox && dice.roll() < 0.5;
    const rest = JSON.stringify({
      externalReference: reference,
      branchCode: isSandbox ? 'SANDBOX_BRANCH' : company.branchCode,
      pickupLocationCode: isSandbox ? 'SANDBOX_PICKUP' : company.pickupLocationCode,
      recipient: { name: 'Noura', phone: `051${String(this.#count).padStart(7, '0')}` },
      destination: { addressLine: '4 King Fahd Road', cityCode: 'RUH', latitude: 24.79, longitude: 46.62 },
      ...{
        ...(dice.roll() < 0.5
          ? { codAmount: 1 + Math.floor(dice.roll() * 500), paymentMethod: 'COD' }
          : { codAmount: 0, paymentMethod: 'PREPAID' }),
        currency: 'SAR',
        requirements: dice.roll() < 0.1 ? ['NOBODY_CAN'] : dice.roll() < 0.2 ? ['PROOF_PIN'] : [],
      },
      ...pickupWindow(this.#context, company),
    }).slice(0, -1);
    const lines = items.map(
      ({ quantity, micros }) =>
        `{"description":"Box","quantity":${quantity},"weightKilograms":${decimalOf(micros, 6)}}`,
    );
    const body = `${rest},"declaredValue":${value},"items":[${lines.join(',')}]}`;
    const exact = [`"totalWeightKilograms":${decimalOf(total, 6)},`, `"declaredValue":${value},`];
    const address = this.#address();
    const made = { company, reference, key, body, exact, address, prices: {}, firstMs: this.#context.wallMs() };
    return { ...made, firstAnswer: undefined, isDecided: false, tries: 0 };
  }
}

/** Half of the windows have begun. The others begin within three minutes, most of them after the lead. */
export function pickupWindow({ dice, ledger, wallMs }: ClientContext, { companyId }: SimulatedCompany) {
  const nowMs = companyTime(ledger, companyId, wallMs() * 1000) / 1000;
  const startMs = nowMs + (dice.roll() < 0.5 ? -60_000 : dice.roll() * 180_000);
  const [pickupWindowStart, pickupWindowEnd] = [startMs, startMs + WINDOW_MS].map(
    (ms) => `${new Date(ms).toISOString().slice(0, 19)}Z`,
  );
  return { pickupWindowStart, pickupWindowEnd };
}

function checkConflict({ status, text }: Answer, known: string): void {
  // The lock of a shipment is found before its reference.
  const isConflict = status === 409 && /EXTERNAL_REFERENCE_CONFLICT|PRICE_LOCK_USED/.test(text);
  requireNone(conflictRules(`a creation, answered ${status},`, isConflict ? idOf(text) : undefined, known));
}

/** The time of the shipment is past, so it is not created a second time. */
function isWindowOver(text: string): boolean {
  return text.includes('"field":"pickupWindowEnd"');
}

function idOf(text: string): string {
  return /"shipmentId":"([^"]+)"/.exec(text)?.[1] ?? '';
}

/** The shortest spelling. */
function decimalOf(units: bigint, places: number): string {
  const digits = String(units).padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  const whole = digits.slice(0, -places);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
