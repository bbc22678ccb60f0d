import { setTimeout as delay } from 'node:timers/promises';
import type { SqldServer } from './mortal-sqld.ts';
import type { Runtime, Service } from './service.ts';
import { type AnyDatabaseId, openSql, type RunSql, type ShardId } from './sql.ts';

/** The public address of the service. It listens elsewhere, so tests notice an address that is built from the request. */
export const BASE_URL = 'https://api.mirsal.test';

export interface TestClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A company with a branch, a pickup location and an OAuth client that has every merchant's scope. */
export interface TestCompany extends TestClient {
  readonly companyId: string;
  readonly name: string;
  readonly shard: ShardId;
  readonly branchCode: string;
  readonly pickupLocationCode: string;
}

/** Everything needed to use an environment that runs in another process. */
export interface EnvironmentFacts {
  readonly runtime: Runtime;
  readonly address: string;
  readonly databaseUrls: Readonly<Record<AnyDatabaseId, string>>;
  readonly credentialKey: string;
  /** As in the variable TOKEN_SIGNING_KEYS, to forge tokens with a single fault. */
  readonly signingKeys: string;
  /** The first lives on shard-1, the second on shard-2. */
  readonly companies: readonly [TestCompany, TestCompany];
  readonly operator: TestClient;
}

export interface Environment extends EnvironmentFacts {
  /** The public address of the service: the issuer of its tokens and the start of its problem types. */
  readonly baseUrl: string;
  /** Sends a request to the service. `path` begins with a slash. Redirects are not followed. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** An access token with these scopes, by default all granted ones. The same token each time. */
  token(client: TestClient, scope?: string): Promise<string>;
  readonly sql: RunSql;
}

/** An environment of its own: its databases may be stopped and its service restarted. */
export interface OwnEnvironment extends Environment {
  readonly variables: Readonly<Record<string, string>>;
  readonly databases: { readonly directory: SqldServer; readonly shards: Readonly<Record<ShardId, SqldServer>> };
  readonly service: Service;
  /** Restarts the service with these variables changed. */
  restart(changes: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
}

/** Connects to an environment that already runs. */
export function connect(facts: EnvironmentFacts, addressOfService = () => facts.address): Environment {
  const tokens = new Map<string, Promise<string>>();
  const environment: Environment = {
    ...facts,
    baseUrl: BASE_URL,
    sql: openSql(facts.databaseUrls),
    fetch: (path, init = {}) =>
      fetch(`${addressOfService()}${path}`, {
        redirect: 'manual',
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        ...init,
      }),
    token(client, scope) {
      const key = `${client.clientId} ${scope ?? ''}`;
      const known = tokens.get(key);
      if (known !== undefined) return known;
      const issued = issueToken(environment, client, scope);
      tokens.set(key, issued);
      return issued;
    },
  };
  return environment;
}

/** If the service hangs, only the current test fails. */
const REQUEST_TIMEOUT_MS = 30_000;

/** A busy service answers 503 and asks to try again. A test about something else does so. */
const TOKEN_TRIES_MAX = 3;

/** A new access token. */
export async function issueToken(environment: Environment, client: TestClient, scope?: string): Promise<string> {
  const { clientId, clientSecret } = client;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  if (scope !== undefined) form.set('scope', scope);
  for (let tried = 1; ; tried += 1) {
    const response = await environment.fetch('/oauth/token', { method: 'POST', body: form });
    const body: unknown = await response.json();
    if (typeof body === 'object' && body !== null && 'access_token' in body && typeof body.access_token === 'string') {
      return body.access_token;
    }
    if (response.status !== 503 || tried === TOKEN_TRIES_MAX) {
      throw new Error(`No token: ${response.status} ${JSON.stringify(body)}`);
    }
    await delay(1000);
  }
}
