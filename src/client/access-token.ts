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

interface AccessToken {
  readonly text: string;
  readonly renewAtMs: number;
}

/** The client renews a token this long before it expires, so that it is still valid when a slow request arrives. */
const RENEW_BEFORE_MS = 60_000;
/** The client renews a short-lived token when this share of its lifetime remains. */
const RENEW_BEFORE_PART = 0.1;

/** Caches one access token. Concurrent calls share one token request. */
export class AccessTokenCache {
  readonly #http: Http;
  readonly #credential: Credential;
  #current: AccessToken | undefined;
  #pending: Promise<AccessToken> | undefined;

  constructor(http: Http, credential: Credential) {
    this.#http = http;
    this.#credential = credential;
  }

  /** The current token. Calls share the token request, so no caller's signal aborts it. */
  async current(): Promise<string> {
    const known = this.#current;
    if (known !== undefined && this.#http.host.now() < known.renewAtMs) return known.text;
    this.#pending ??= this.#renew().finally(() => {
      this.#pending = undefined;
    });
    return (await this.#pending).text;
  }

  /** Drops a refused token, unless a newer one has replaced it. */
  discard(text: string): void {
    if (this.#current?.text === text) this.#current = undefined;
  }

  async #renew(): Promise<AccessToken> {
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
    this.#current = { text: answer.body.access_token, renewAtMs };
    return this.#current;
  }
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
