import { setTimeout as delay } from 'node:timers/promises';
import { type Caller, pickRecent } from './caller.ts';
import { entriesOf, memberOf, type RecordedCall } from './history.ts';

const THINKING_MS = { min: 0, max: 40 };

const ANSWERED_MAX = 3;

/** The driver's possible next actions in each state, and their weights. */
const NEXT: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  ACCEPTED: { PICK_UP: 6, RELEASE: 1 },
  PICKED_UP: { DEPART: 6, LOSE: 1 },
  OUT_FOR_DELIVERY: { DELIVER: 4, REFUSED: 1 },
};

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
    const call = await this.#caller.ask({ operation: 'carried', path: '/v2/driver/shipments?limit=50' });
    const open = entriesOf(call.answer).filter((one) => (memberOf(one, 'state') ?? '') in NEXT);
    // Most drivers finish their shipments.
    const begun = open.filter((one) => memberOf(one, 'state') !== 'ACCEPTED');
    const chosen = pickRecent(dice, begun.length > 0 && dice.roll() < 0.7 ? begun : open);
    const shipmentId = memberOf(chosen, 'shipmentId');
    if (shipmentId === undefined) return;
    const step = dice.pick(NEXT[memberOf(chosen, 'state') ?? ''] ?? {});
    if (step === 'LOSE') await this.#act(shipmentId, 'FAIL', 'LOST');
    else if (step === 'REFUSED') await this.#act(shipmentId, 'FAIL', 'RECIPIENT_REFUSED');
    else await this.#act(shipmentId, step);
  }

  #act(shipmentId: string, action: string, reasonCode?: string): Promise<RecordedCall> {
    const path = `/v2/driver/shipments/${shipmentId}/actions`;
    return this.#caller.ask({ operation: 'drive', path, shipmentId, body: JSON.stringify({ action, reasonCode }) });
  }
}
