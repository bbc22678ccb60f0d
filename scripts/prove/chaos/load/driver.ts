import { setTimeout as delay } from 'node:timers/promises';
import { type Caller, pickRecent, uuidOf } from './caller.ts';
import { type CallRequest, entriesOf, memberOf, type RecordedCall } from './history.ts';

const THINKING_MS = { min: 0, max: 40 };

const ANSWERED_MAX = 3;
/** What may be repeated is a minute old at most, and the service answers again within seconds. */
const REPEAT = { patienceMs: 3000, everyMs: 100, withinMs: 20_000 };

/** The driver's possible next actions in each state, and their weights. */
const NEXT: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  ACCEPTED: { PICK_UP: 6, RELEASE: 1 },
  PICKED_UP: { DEPART: 6, LOST: 1 },
  OUT_FOR_DELIVERY: { DELIVER: 4, REFUSED: 1 },
};

/** How a parcel ends. A signed delivery has a name for the record. */
const ENDS = {
  SIGNED: { action: 'DELIVER', proof: { signedBy: 'نورة' } },
  REFUSED: { action: 'FAIL', reasonCode: 'RECIPIENT_REFUSED' },
  LOST: { action: 'FAIL', reasonCode: 'LOST' },
} as const;
export type End = keyof typeof ENDS;

interface Asked {
  readonly ask: CallRequest;
  readonly answered: Promise<RecordedCall>;
}

/** The app of the driver of a company's sandbox. */
export class Driver {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async live(isOver: () => boolean): Promise<void> {
    const { dice } = this.#caller;
    while (!isOver()) {
      await delay(dice.between(THINKING_MS.min, THINKING_MS.max));
      if (dice.roll() < 0.4) await this.#answerOffer();
      else await this.#goOn();
    }
  }

  /** A parcel at the door; undefined after a step towards one. */
  async reachDoor(): Promise<string | undefined> {
    const open = await this.#carried();
    const atDoor = open.find((one) => memberOf(one, 'state') === 'OUT_FOR_DELIVERY');
    if (atDoor !== undefined) return memberOf(atDoor, 'shipmentId');
    const chosen = open.find((one) => memberOf(one, 'state') === 'PICKED_UP') ?? open[0];
    const shipmentId = memberOf(chosen, 'shipmentId');
    if (shipmentId === undefined) await this.#answerOffer();
    else await this.#act(shipmentId, memberOf(chosen, 'state') === 'ACCEPTED' ? 'PICK_UP' : 'DEPART');
    return undefined;
  }

  /** Ends a parcel at the door. */
  end(shipmentId: string, how: End): Asked {
    const ask = this.#actionOf(shipmentId, ENDS[how]);
    return { ask, answered: this.#caller.ask(ask, REPEAT.patienceMs) };
  }

  /** As a phone does: the same action until it is answered. */
  async repeat(ask: CallRequest): Promise<RecordedCall> {
    const overAt = performance.now() + REPEAT.withinMs;
    for (;;) {
      const call = await this.#caller.ask({ ...ask, isRepeat: true }, REPEAT.patienceMs);
      if (call.outcome !== 'unknown' || performance.now() > overAt) return call;
      await delay(REPEAT.everyMs);
    }
  }

  async #answerOffer(): Promise<void> {
    const { dice } = this.#caller;
    const call = await this.#caller.ask({ operation: 'offers', path: '/v2/driver/offers?limit=20' });
    const offered = entriesOf(call.answer).flatMap((one) => memberOf(one, 'shipmentId') ?? []);
    // All at once, because an offer expires soon.
    await Promise.all(
      offered.slice(0, ANSWERED_MAX).map((shipmentId) => this.#act(shipmentId, dice.pick({ ACCEPT: 5, DECLINE: 1 }))),
    );
  }

  async #goOn(): Promise<void> {
    const { dice } = this.#caller;
    const open = await this.#carried();
    // Most drivers finish their shipments.
    const begun = open.filter((one) => memberOf(one, 'state') !== 'ACCEPTED');
    const chosen = pickRecent(dice, begun.length > 0 && dice.roll() < 0.7 ? begun : open);
    const shipmentId = memberOf(chosen, 'shipmentId');
    if (shipmentId === undefined) return;
    const step = dice.pick(NEXT[memberOf(chosen, 'state') ?? ''] ?? {});
    const end = step === 'DELIVER' && dice.roll() < 0.5 ? 'SIGNED' : step;
    if (isEnd(end)) await this.#again(this.end(shipmentId, end));
    else await this.#act(shipmentId, end);
  }

  async #carried(): Promise<unknown[]> {
    const call = await this.#caller.ask({ operation: 'carried', path: '/v2/driver/shipments?limit=50' });
    return entriesOf(call.answer).filter((one) => (memberOf(one, 'state') ?? '') in NEXT);
  }

  #act(shipmentId: string, action: string): Promise<void> {
    const ask = this.#actionOf(shipmentId, { action });
    return this.#again({ ask, answered: this.#caller.ask(ask) });
  }

  /** Phones repeat what was not answered, unless they are switched off. */
  async #again({ ask, answered }: Asked): Promise<void> {
    const { outcome } = await answered;
    if (outcome === 'unknown' && this.#caller.dice.roll() < 0.5) await this.repeat(ask);
  }

  #actionOf(shipmentId: string, action: object): CallRequest {
    const actionId = uuidOf(this.#caller.dice);
    const path = `/v2/driver/shipments/${shipmentId}/actions`;
    const isSigned = 'proof' in action;
    const body = JSON.stringify({ actionId, ...action });
    return { operation: 'drive', path, shipmentId, actionId, isSigned, body };
  }
}

function isEnd(step: string): step is End {
  return step in ENDS;
}
