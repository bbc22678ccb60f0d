import type { WebhookAnswer, WebhookTransport } from '../../../src/ports/webhook.ts';
import type { Dice } from '../../shared/dice.ts';
import { checkArrival } from './check/delivery-check.ts';
import type { Ledger } from './check/ledger.ts';
import type { Owner, Schedule } from './schedule.ts';

/** The weights of a receiver's reactions. */
const STEADY = { taken: 96, unheard: 2, failing: 2 } as const;
const MOODY = { taken: 40, unheard: 10, failing: 30, slow: 10, busy: 10 } as const;
/** Moods last, so that deliveries have to wait for each other. */
const MOOD_MS = 20_000;
const ANY: Owner = { name: 'receiver', isDead: false, standsStillUntilMs: 0 };

export interface ReceiverOptions {
  readonly schedule: Schedule;
  readonly dice: Dice;
  readonly ledger: () => Ledger;
  readonly trace: (line: string) => void;
  readonly isCalm: () => boolean;
}

/** The webhook receivers of the merchants. */
export class Receivers {
  readonly #options: ReceiverOptions;
  readonly #moods = new Map<string, { untilMs: number; isDown: boolean }>();

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  transportOf(owner: Owner): WebhookTransport {
    const { schedule, dice, ledger, trace } = this.#options;
    return {
      post: (request) =>
        new Promise((resolve) => {
          const kind = this.#reactionOf(request.url.hostname);
          const isReached = kind !== 'away';
          const answer = (result: WebhookAnswer, delayMs: number) =>
            schedule.add('posted', delayMs, owner, () => resolve(result));
          if (!isReached) return void answer({ ok: false, error: 'CONNECT' }, dice.between(1, 50));
          schedule.add('post', dice.between(1, 30), ANY, () => {
            const deliveries = checkArrival(request, ledger());
            trace(`${request.url.hostname} ${kind} ${request.headers['webhook-id']}`);
            const isTaken = kind === 'taken' || kind === 'unheard';
            for (const delivery of deliveries) delivery.wasReceived ||= isTaken;
            if (kind === 'unheard') answer({ ok: false, error: 'TIMEOUT' }, request.timeoutMs);
            else answer(ANSWERS[kind], kind === 'slow' ? dice.between(500, 14_000) : dice.between(1, 30));
          });
        }),
    };
  }

  #reactionOf(host: string): Reaction {
    const { schedule, dice, isCalm } = this.#options;
    if (isCalm()) return 'taken';
    if (host.startsWith('gone')) return dice.roll() < 0.05 ? 'gone' : 'taken';
    if (host.startsWith('steady')) return dice.pick(STEADY);
    const known = this.#moods.get(host);
    const mood =
      known !== undefined && known.untilMs > schedule.nowMs
        ? known
        : { untilMs: schedule.nowMs + dice.between(0, MOOD_MS), isDown: dice.roll() < 0.4 };
    this.#moods.set(host, mood);
    return mood.isDown ? dice.pick({ away: 1, failing: 1 }) : dice.pick(MOODY);
  }
}

type Reaction = 'away' | 'taken' | 'unheard' | 'failing' | 'slow' | 'busy' | 'gone';

const ANSWERS: Readonly<Record<Exclude<Reaction, 'away' | 'unheard'>, WebhookAnswer>> = {
  taken: answerWith(204),
  failing: answerWith(500),
  slow: answerWith(500),
  busy: answerWith(503, { 'retry-after': '3' }),
  gone: answerWith(410),
};

function answerWith(status: number, headers: Readonly<Record<string, string>> = {}): WebhookAnswer {
  return { ok: true, status, headers: new Headers(headers), body: { bytes: new Uint8Array(), isWhole: true } };
}
