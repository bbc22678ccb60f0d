const KEY = 'driver-clock';

/**
 * The service's time. The clock of a phone can be wrong by hours, and a page that was opened without a connection has no answer yet, so
 * the phone keeps how far it was off when the service last answered.
 */
export class ServiceClock {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;
  /** The time by the answers to this page. */
  readonly #answered: () => number;
  #hasAnswer = false;

  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>, answered: () => number) {
    this.#storage = storage;
    this.#answered = answered;
  }

  /** The service has answered. */
  learn(): void {
    this.#hasAnswer = true;
    this.#storage.setItem(KEY, String(this.#answered() - Date.now()));
  }

  /** In milliseconds since 1970. */
  now(): number {
    const ahead = Number(this.#storage.getItem(KEY) ?? 0);
    return this.#hasAnswer || !Number.isFinite(ahead) ? this.#answered() : Date.now() + ahead;
  }
}
