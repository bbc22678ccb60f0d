import { Kept } from '../core/kept.ts';
import { MinuteWindows } from '../core/minute-windows.ts';
import { networkOf, SITE_FACTOR, siteOf } from '../core/network-address.ts';
import { ok, type Refusal, type Result, refuse } from '../core/result.ts';

/** How long a token that a database did not know is refused without another read. */
const UNKNOWN_MS = 5000;
/** About 200 bytes each. */
const UNKNOWN_MAX = 10_000;

export interface FailureTerms {
  /** Failures a minute, for one network address. */
  readonly max: number;
  readonly monotonicMs: () => number;
  /** Called for every refusal. */
  readonly onRefusal: () => void;
}

interface Network {
  readonly key: string;
  readonly max: number;
}

/**
 * Bounds what invented and ended tokens cost the databases. They belong to no client, so no other limit counts them. A
 * failure counts only if a database was asked. This process counts alone: Cloudflare's rate limits cannot be read without
 * being used, and a valid token must not use them.
 */
export class FailedAuthentications {
  readonly #unknown: Kept<string, true>;
  readonly #failures: MinuteWindows;
  readonly #terms: FailureTerms;

  constructor(terms: FailureTerms) {
    const { monotonicMs } = terms;
    this.#unknown = new Kept({ keptMs: UNKNOWN_MS, entriesMax: UNKNOWN_MAX, nowMs: monotonicMs });
    this.#failures = new MinuteWindows(monotonicMs);
    this.#terms = terms;
  }

  /**
   * The result of `read`, which asks a database for a token or secret; `undefined` is a failure. 429 if the network of
   * `address` has had too many failures. Requests in progress may exceed the limit: a failure counts when it is known.
   */
  async bound<Value>(
    address: string | undefined,
    read: () => Promise<Value | undefined>,
  ): Promise<Result<Value | undefined>> {
    const networks = this.#networksOf(address);
    const refusal = this.#refusalOf(networks);
    if (refusal !== undefined) return refusal;
    const found = await read();
    if (found === undefined) for (const { key } of networks) this.#failures.count(key);
    return ok(found);
  }

  /**
   * The same for a token, by its hash or id. A token that was not found is refused for five more seconds without a read, and
   * such a refusal does not count. The five seconds begin before the read, so they cannot outlast a token that was
   * committed meanwhile.
   */
  async find<Value>(
    { key, address }: { readonly key: string; readonly address: string | undefined },
    read: () => Promise<Value | undefined>,
  ): Promise<Result<Value | undefined>> {
    if (this.#unknown.get(key) === true) return ok(undefined);
    const askedAtMs = this.#terms.monotonicMs();
    const found = await this.bound(address, read);
    if (found.ok && found.value === undefined) this.#unknown.set(key, true, askedAtMs);
    return found;
  }

  #refusalOf(networks: readonly Network[]): Refusal | undefined {
    const waits = networks.map(({ key, max }) => {
      const { used, endsInSeconds } = this.#failures.look(key);
      return used < max ? 0 : endsInSeconds;
    });
    const retryAfterSeconds = Math.max(0, ...waits);
    if (retryAfterSeconds === 0) return undefined;
    this.#terms.onRefusal();
    return refuse('RATE_LIMITED', { retryAfterSeconds });
  }

  /** None where the runtime does not know addresses: otherwise one caller could lock out all. */
  #networksOf(address: string | undefined): Network[] {
    if (address === undefined) return [];
    const { max } = this.#terms;
    const network = { key: networkOf(address), max };
    const site = siteOf(address);
    return site === undefined ? [network] : [network, { key: `site ${site}`, max: max * SITE_FACTOR }];
  }
}
