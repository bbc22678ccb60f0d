import type { Messages } from '../../../src/ports/message.ts';
import type { Dice } from '../../shared/dice.ts';
import type { Ledger } from './check/ledger.ts';
import type { Owner, Schedule } from './schedule.ts';

/** What becomes of an SMS, per hundred. */
const FATES = { well: 94, refused: 3, lost: 3 } as const;
const AIR: Owner = { name: 'air', isDead: false, standsStillUntilMs: 0 };

interface Sky {
  readonly schedule: Schedule;
  readonly dice: Dice;
  readonly isCalm: () => boolean;
  readonly ledger: () => Pick<Ledger, 'pinsSent'>;
}

/** The phones of recipients. A message may be refused by its provider, or accepted and lost. */
export class Phones {
  readonly #world: Sky;
  readonly #codes = new Map<string, string>();

  constructor(world: Sky) {
    this.#world = world;
  }

  codeOn(phone: string): string | undefined {
    return this.#codes.get(phone);
  }

  /** The provider as one process knows it. */
  messagesOf(owner: Owner): Messages {
    const { schedule, dice, isCalm, ledger } = this.#world;
    return {
      provider: 'carriers',
      isDown: () => false,
      send: ({ recipient, code, purpose }) =>
        new Promise((resolve) => {
          if (purpose === 'DELIVERY_PIN' && code !== null) ledger().pinsSent.add(code);
          const fate = isCalm() ? 'well' : dice.pick(FATES);
          const arrive = () => void (code !== null && this.#codes.set(recipient, code));
          if (fate === 'well') schedule.add('SMS', dice.between(5, 400), AIR, arrive);
          schedule.add('SMS accepted', dice.between(1, 30), owner, () => resolve(fate !== 'refused'));
        }),
    };
  }
}
