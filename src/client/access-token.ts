import { failureOfAnswer } from './failure.ts';
import { type Http, sendForJson } from './http.ts';
import { isRecord } from './problem.ts';

/** The client's credentials (RFC 6749 section 4.4). */
export interface Credential {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Scopes separated by spaces. If undefined, all granted scopes. */
  readonly scope: string | undefined;
}

/** An access token, as a store keeps it. */
export interface StoredToken {
  readonly token: string;
  /** When to stop using it, in milliseconds since 1970. */
  readonly renewAtMs: number;
}

/**
 * A place for access tokens that several processes share, such as a folder or Redis. `name` is that of the deployment, the
 * client id and the scopes, so that no client gets another's token. A store that fails, or takes more than two seconds, is not
 * used: the client then asks the service.
 */
export interface TokenStore {
  get(name: string): Promise<StoredToken | undefined> | StoredToken | undefined;
  put(name: string, token: StoredToken): Promise<void> | void;
}

const STORE_TIMEOUT_MS = 2_000;

/** The client renews a token this long before it expires, so that it is still valid when a slow request arrives. */
const RENEW_BEFORE_MS = 60_000;
/** The client renews a short-lived token when this share of its lifetime remains. */
const RENEW_BEFORE_PART = 0.1;

/** Caches one access token. Concurrent calls share one token request. */
export class AccessTokenCache {
  readonly #http: Http;
  readonly #credential: Credential;
  readonly #store: TokenStore | undefined;
  #current: StoredToken | undefined;
  #pending: Promise<StoredToken> | undefined;
  /** The token that the service refused last. The store may still have it. */
  #refused: string | undefined;

  constructor(http: Http, credential: Credential, store?: TokenStore) {
    this.#http = http;
    this.#credential = credential;
    this.#store = store;
  }

  /** The current token. Calls share the token request, so no caller's signal aborts it. */
  async current(): Promise<string> {
    const known = this.#current;
    if (known !== undefined && this.#isUsable(known)) return known.token;
    this.#pending ??= this.#next().finally(() => {
      this.#pending = undefined;
    });
    return (await this.#pending).token;
  }

  /** Drops a refused token, unless a newer one has replaced it. */
  discard(token: string): void {
    if (this.#current?.token !== token) return;
    this.#current = undefined;
    this.#refused = token;
  }

  #isUsable({ token, renewAtMs }: StoredToken): boolean {
    return token !== this.#refused && this.#http.host.now() < renewAtMs;
  }

  async #next(): Promise<StoredToken> {
    const stored = await this.#stored();
    if (stored !== undefined && this.#isUsable(stored)) {
      this.#current = stored;
      return stored;
    }
    const renewed = await this.#renew();
    this.#current = renewed;
    // Not awaited, and without it the next process asks for a token of its own.
    Promise.resolve(renewed)
      .then((token) => this.#store?.put(this.#name, token))
      .catch(() => undefined);
    return renewed;
  }

  get #name(): string {
    const { clientId, scope } = this.#credential;
    return [this.#http.baseUrl, clientId, scope ?? '*'].join(' ');
  }

  async #stored(): Promise<StoredToken | undefined> {
    if (this.#store === undefined) return undefined;
    try {
      const deadline = this.#http.host.deadline(STORE_TIMEOUT_MS);
      const tooLate = new Promise<undefined>((resolve) => {
        deadline.addEventListener('abort', () => resolve(undefined));
      });
      const stored: unknown = await Promise.race([this.#store.get(this.#name), tooLate]);
      return isStoredToken(stored) ? stored : undefined;
    } catch {
      return undefined;
    }
  }

  async #renew(): Promise<StoredToken> {
    // The time before the request, because the token's lifetime starts no earlier.
    const askedAtMs = this.#http.host.now();
    const { clientId, clientSecret, scope } = this.#credential;
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) });
    const answer = await sendForJson(this.#http, 'token', {
      url: `${this.#http.baseUrl}/oauth/token`,
      init: { method: 'POST', headers: { authorization: basic(clientId, clientSecret) }, body: form },
    });
    if (answer.status !== 200 || !isTokenAnswer(answer.body)) {
      throw failureOfAnswer('token', answer, this.#http.host.now());
    }
    const lifeMs = answer.body.expires_in * 1000;
    const renewAtMs = askedAtMs + lifeMs - Math.min(RENEW_BEFORE_MS, lifeMs * RENEW_BEFORE_PART);
    return { token: answer.body.access_token, renewAtMs };
  }
}

function isStoredToken(value: unknown): value is StoredToken {
  return isRecord(value) && typeof value['token'] === 'string' && typeof value['renewAtMs'] === 'number';
}

/** Both parts are form-encoded before they are joined (RFC 6749 section 2.3.1), which also makes them ASCII. */
function basic(clientId: string, clientSecret: string): string {
  return `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`;
}

function isTokenAnswer(body: unknown): body is { readonly access_token: string; readonly expires_in: number } {
  if (!isRecord(body)) return false;
  const { access_token: token, expires_in: seconds } = body;
  return typeof token === 'string' && token !== '' && typeof seconds === 'number';
}
