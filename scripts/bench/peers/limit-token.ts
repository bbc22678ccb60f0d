import { execute } from './limit-pipeline.ts';

/*
 * The limit's access token: the service's own query of the directory, the secret's HMAC, one signature. It parses no
 * form, counts and records nothing, and imports keys once.
 */

export interface TokenEnvironment {
  /** The directory's `/v3/pipeline`. */
  readonly DIRECTORY: string;
  /** The service's own statement, with a placeholder for the client's id. */
  readonly TOKEN: string;
  readonly SIGNING_KEY: string;
  readonly CREDENTIAL_KEY: string;
  readonly ISSUER: string;
}

/** The placeholder for the client's id. */
const CLIENT_MARK = '@client@';
const LIFETIME_SECONDS = 3600;

let keys: Promise<{ readonly signing: CryptoKey; readonly credential: CryptoKey; readonly kid: string }> | undefined;

export async function issueToken(request: Request, environment: TokenEnvironment): Promise<Response> {
  const basic = request.headers.get('authorization')?.slice('Basic '.length) ?? '';
  const [clientId = '', secret = ''] = atob(basic).split(':');
  const [row] = await query(environment, environment.TOKEN.replace(CLIENT_MARK, clientId));
  keys ??= importKeys(environment);
  const { signing, credential, kid } = await keys;
  const hmac = base64Url(new Uint8Array(await crypto.subtle.sign('HMAC', credential, bytesOf(secret))));
  if (row?.['secret_hmac'] !== hmac) return new Response(null, { status: 401 });
  const now = Math.floor(Date.now() / 1000);
  const payload = {
    client_id: clientId,
    scope: row['scopes'],
    sid: row['id'],
    company: row['company_id'],
    shard: row['shard'],
    iss: environment.ISSUER,
    aud: environment.ISSUER,
    sub: clientId,
    jti: crypto.randomUUID(),
    iat: now,
    exp: now + LIFETIME_SECONDS,
  };
  const signed = `${encode({ alg: 'EdDSA', typ: 'at+jwt', kid })}.${encode(payload)}`;
  const signature = base64Url(new Uint8Array(await crypto.subtle.sign('Ed25519', signing, bytesOf(signed))));
  const body = {
    access_token: `${signed}.${signature}`,
    token_type: 'Bearer',
    expires_in: LIFETIME_SECONDS,
    scope: row['scopes'],
  };
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
}

async function importKeys({ SIGNING_KEY, CREDENTIAL_KEY }: TokenEnvironment) {
  const jwk = JSON.parse(SIGNING_KEY) as JsonWebKey & { kid: string };
  const signing = await crypto.subtle.importKey('jwk', jwk, { name: 'Ed25519' }, false, ['sign']);
  const raw = Uint8Array.from(atob(CREDENTIAL_KEY.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
    one.charCodeAt(0),
  );
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return { signing, credential: await crypto.subtle.importKey('raw', raw, algorithm, false, ['sign']), kid: jwk.kid };
}

interface Result {
  readonly cols: readonly { readonly name: string }[];
  readonly rows: readonly (readonly { readonly value?: string }[])[];
}

async function query({ DIRECTORY }: TokenEnvironment, statement: string) {
  const [result] = await execute<Result>(DIRECTORY, [statement]);
  const { cols = [], rows = [] } = result ?? {};
  return rows.map((row) => Object.fromEntries(cols.map(({ name }, index) => [name, row[index]?.value])));
}

function encode(value: unknown): string {
  return base64Url(bytesOf(JSON.stringify(value)));
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
