import { importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { SCOPES, type Scope } from '../contract/scope.ts';
import { isBase64Url } from '../core/base64url.ts';
import type { Instant } from '../core/instant.ts';
import { toMillis } from '../core/instant.ts';
import { Kept } from '../core/kept.ts';
import { parseUuid, type Uuid } from '../core/uuid.ts';
import type { Client } from './principal.ts';

/** The only accepted algorithm. A token with another one was not issued here. */
const ALGORITHM = 'EdDSA';
const TOKEN_TYPE = 'at+jwt';
export const ACCESS_TOKEN_SECONDS = 3600;
/** How much the clocks of the machines that sign and verify may differ. */
const CLOCK_TOLERANCE_SECONDS = 5;

export interface SigningKey extends JWK {
  readonly kid: string;
  readonly x: string;
  readonly d: string;
}

export interface VerifiedToken {
  readonly principal: Client;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** Issues and verifies access tokens: JWT of type `at+jwt` (RFC 9068), Ed25519. Keys are imported once. */
export class AccessTokens {
  readonly #keys: readonly SigningKey[];
  readonly #baseUrl: string;
  readonly #imported = new Kept<string, Promise<CryptoKey>>();

  /** `keys`: the first signs, all verify. `baseUrl` is issuer and audience, so other deployments refuse the tokens. */
  constructor(keys: readonly SigningKey[], baseUrl: string) {
    this.#keys = keys;
    this.#baseUrl = baseUrl;
  }

  async issue(principal: Client, now: Instant): Promise<string> {
    const [signer] = this.#keys;
    if (signer === undefined) throw new Error('There is no signing key');
    const issuedAt = Math.floor(toMillis(now) / 1000);
    const company = principal.kind === 'company' ? { company: principal.companyId, shard: principal.shard } : {};
    return new SignJWT({
      client_id: principal.clientId,
      scope: [...principal.scopes].join(' '),
      sid: principal.secretId,
      ...company,
    })
      .setProtectedHeader({ alg: ALGORITHM, typ: TOKEN_TYPE, kid: signer.kid })
      .setIssuer(this.#baseUrl)
      .setAudience(this.#baseUrl)
      .setSubject(principal.clientId)
      .setJti(principal.tokenId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
      .sign(await this.#import(signer, 'private'));
  }

  /** The principal of a valid token of this deployment; undefined for any other token, without a reason. */
  async verify(token: string, now: Instant): Promise<VerifiedToken | undefined> {
    // The signature does not cover its own base64url text, which could otherwise be written in several ways.
    if (!token.split('.').every(isBase64Url)) return undefined;
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => this.#verifier(kid), {
        algorithms: [ALGORITHM],
        typ: TOKEN_TYPE,
        issuer: this.#baseUrl,
        audience: this.#baseUrl,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(toMillis(now)),
        requiredClaims: ['exp', 'jti', 'client_id', 'scope', 'sid'],
      });
      const principal = principalOf(payload);
      return principal === undefined || payload.exp === undefined ? undefined : { principal, expiresAt: payload.exp };
    } catch {
      // jose throws for every invalid token, and all of them get the same answer.
      return undefined;
    }
  }

  /** The public halves, for `/.well-known/jwks.json` (RFC 7517). */
  publicKeys(): JWK[] {
    return this.#keys.map(({ kid, x }) => ({ kty: 'OKP', crv: 'Ed25519', kid, x, use: 'sig', alg: ALGORITHM }));
  }

  #verifier(kid: string | undefined): Promise<CryptoKey> {
    const key = this.#keys.find((candidate) => candidate.kid === kid);
    if (key === undefined) throw new Error('No key of that name');
    return this.#import(key, 'public');
  }

  #import(key: SigningKey, half: 'private' | 'public'): Promise<CryptoKey> {
    return this.#imported.getOrMake(`${half} ${key.kid}`, () => {
      const { d, ...publicHalf } = key;
      return importJWK(half === 'private' ? { ...publicHalf, d } : publicHalf, ALGORITHM).then(requireCryptoKey);
    });
  }
}

function requireCryptoKey(key: CryptoKey | Uint8Array): CryptoKey {
  if (key instanceof Uint8Array) throw new Error('A signing key must be an Ed25519 key');
  return key;
}

function principalOf(payload: Readonly<Record<string, unknown>>): Client | undefined {
  const clientId = payload['client_id'];
  const secretId = uuidOf(payload['sid']);
  const tokenId = uuidOf(payload['jti']);
  const scopes = scopesOf(payload['scope']);
  if (typeof clientId !== 'string' || secretId === undefined || tokenId === undefined) return undefined;
  const holder = { clientId, secretId, tokenId, scopes };
  const { company, shard } = payload;
  if (company === undefined && shard === undefined) return { kind: 'operator', ...holder };
  const companyId = uuidOf(company);
  if (companyId === undefined || typeof shard !== 'string') return undefined;
  return { kind: 'company', companyId, shard, ...holder };
}

function uuidOf(value: unknown): Uuid | undefined {
  return typeof value === 'string' ? parseUuid(value) : undefined;
}

/** The known scopes in a space-separated list. */
export function scopesOf(value: unknown): Set<Scope> {
  const words = typeof value === 'string' ? value.split(' ') : [];
  return new Set(SCOPES.filter((scope) => words.includes(scope)));
}
