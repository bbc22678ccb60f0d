import { setTimeout as delay } from 'node:timers/promises';
import type { Line } from './caller.ts';
import { memberOf, readExactly } from './history.ts';
import type { KnownLink, RoundCompany } from './round-setup.ts';

/** Node takes headers, as its types do not know. */
declare const WebSocket: new (
  url: string,
  options: { readonly headers: Readonly<Record<string, string>> },
) => WebSocket;

/** What an open tracking page shows at the end. */
export interface Watched extends KnownLink {
  /** Undefined if its link was revoked. */
  readonly state: string | undefined;
  /** When its last read was sent, on the clock of the calls. */
  readonly askedAt: number;
  /** How often a socket told it of a change. */
  readonly told: number;
}

/** As the page, with shorter times, so that a round has many of each. */
const POLL_MS = 1500;
const RECONNECT_MS = 300;
const PATIENCE_MS = 2500;
const SETTLE_MS = 30_000;
/** Pages of one company. */
const PAGES_MAX = 6;

/** Opens pages for the first links of each company. `finish` resolves after a last read of each. */
export function watchAll(
  actors: readonly RoundCompany[],
  line: Line,
  origin: string,
): { readonly finish: () => Promise<Watched[]> } {
  const watchers = new Map<KnownLink, Watcher>();
  const look = () => {
    for (const { links } of actors) {
      for (const link of links.slice(0, PAGES_MAX)) {
        if (!watchers.has(link)) watchers.set(link, new Watcher(link, line.address, origin));
      }
    }
  };
  const interval = setInterval(look, 50);
  return {
    finish() {
      clearInterval(interval);
      return Promise.all([...watchers.values()].map((watcher) => watcher.finish()));
    },
  };
}

/** It reads when its socket tells it and every `POLL_MS`, keeps what a 304 confirms, and opens another socket after a close. */
class Watcher {
  readonly #link: KnownLink;
  readonly #address: string;
  readonly #origin: string;
  readonly #living: Promise<void>;
  #socket: WebSocket | undefined;
  #reconnectAt = 0;
  #etag = '';
  #state: string | undefined;
  #askedAt = 0;
  #told = 0;
  #finishAt = Number.POSITIVE_INFINITY;
  #wake: () => void = () => undefined;

  constructor(link: KnownLink, address: string, origin: string) {
    [this.#link, this.#address, this.#origin] = [link, address, origin];
    this.#living = this.#live();
  }

  async finish(): Promise<Watched> {
    this.#finishAt = performance.now();
    await this.#living;
    return { ...this.#link, state: this.#state, askedAt: this.#askedAt, told: this.#told };
  }

  async #live(): Promise<void> {
    do {
      this.#keepSocket();
      const { promise: woken, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const pause = new AbortController();
      await Promise.race([woken, delay(POLL_MS, undefined, { signal: pause.signal }).catch(() => undefined)]);
      pause.abort();
      if (!(await this.#read())) break;
    } while (this.#askedAt < this.#finishAt && performance.now() < this.#finishAt + SETTLE_MS);
    this.#socket?.close();
  }

  #keepSocket(): void {
    if (this.#socket !== undefined || performance.now() < this.#reconnectAt) return;
    const url = `${this.#address.replace('http', 'ws')}/t/${this.#link.token}/changes`;
    const socket = new WebSocket(url, { headers: { origin: this.#origin } });
    this.#socket = socket;
    socket.onmessage = () => {
      this.#told += 1;
      this.#wake();
    };
    socket.onclose = () => {
      this.#socket = undefined;
      this.#reconnectAt = performance.now() + RECONNECT_MS;
    };
  }

  /** Whether the link may still show something else. A missing answer leaves what was shown. */
  async #read(): Promise<boolean> {
    const askedAt = performance.now();
    try {
      const path = `${this.#address}/v2/public/tracking/${this.#link.token}`;
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const response = await fetch(path, { headers: { 'if-none-match': this.#etag }, signal });
      const text = await response.text();
      if (![200, 304, 404].includes(response.status)) return true;
      this.#askedAt = askedAt;
      if (response.status === 304) return true;
      this.#etag = response.headers.get('etag') ?? '';
      this.#state = memberOf(readExactly(text), 'state');
      return response.status === 200;
    } catch {
      return true;
    }
  }
}
