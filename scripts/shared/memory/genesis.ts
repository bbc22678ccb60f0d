import { createHash, createPrivateKey, sign } from 'node:crypto';
import type { Uuid } from '../../../src/core/uuid.ts';
import { parseConfig } from '../../../src/service/config.ts';
import type { Dice } from '../dice.ts';
import { SAMPLE_DRIVERS, SAMPLE_SERVICE_LEVELS, SAMPLE_TARIFF } from '../sample-fleet.ts';
import type { DatabaseServer } from './database-server.ts';
import { uuidAt, wallOf } from './moments.ts';

/* The state before the first request: companies with places and clients, drivers with sessions, a tariff. */

export const SHARDS = ['shard-1', 'shard-2'] as const;
const COMPANIES = 5;
export const BASE_URL = 'https://api.mirsal.test';
const CITY = 'RUH';

export interface SimulatedCompany {
  readonly companyId: Uuid;
  readonly shard: string;
  readonly clientId: string;
  readonly secretId: Uuid;
  readonly branchCode: string;
  readonly pickupLocationCode: string;
  /** Whether it uses its sandbox. */
  readonly hasSandbox: boolean;
}

export interface SimulatedDriver {
  readonly driverId: Uuid;
  readonly shard: string;
  /** Of the last session. */
  token: string;
  hasPhone: boolean;
  /** Tokens in lost phones, and when an operator had ended their sessions. */
  readonly endedTokens: Map<string, number>;
}

export interface Genesis {
  readonly config: ReturnType<typeof parseConfig>;
  readonly companies: readonly SimulatedCompany[];
  readonly drivers: readonly SimulatedDriver[];
  /** An access token as the token endpoint gives them, issued at `issuedAtMs`. */
  readonly tokenOf: (company: SimulatedCompany, issuedAtMs: number) => string;
  /** The same for the operators' program. */
  readonly operatorToken: (issuedAtMs: number) => string;
  /** A driver whose session was ended signs in again. False if the driver is blocked. */
  readonly signIn: (driver: SimulatedDriver) => boolean;
}

/** Shorter than the contract's, so that more of them end within the run. */
export const SIMULATED_WAITS = {
  offerSeconds: 15,
  candidateSeconds: 60,
  lookSeconds: 20,
  leadSeconds: 60,
  silenceSeconds: 1800,
};

/** `graceSeconds`: how long a cancellation is free after an acceptance. */
export function makeGenesis(servers: ReadonlyMap<string, DatabaseServer>, dice: Dice, graceSeconds = 0): Genesis {
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(dice.roll() * 256)));
  const key256 = () => bytes(32).toString('base64url');
  const signing = signingKeyOf(bytes(32));
  const config = parseConfig({
    DEPLOYMENT: 'local',
    BASE_URL,
    LIBSQL_DIRECTORY: JSON.stringify(addressOf('directory')),
    LIBSQL_SHARDS: JSON.stringify(SHARDS.map((id) => ({ id, ...addressOf(id) }))),
    TOKEN_SIGNING_KEYS: JSON.stringify([signing.jwk]),
    CREDENTIAL_KEYS: JSON.stringify([key256()]),
    CURSOR_KEYS: JSON.stringify([key256()]),
    PRICE_LOCK_KEYS: JSON.stringify([Buffer.alloc(32, 'lock').toString('base64url')]),
    WEBHOOK_KEYS: JSON.stringify([{ kid: 'one', key: key256() }]),
    DISPATCH_WAITS: JSON.stringify(SIMULATED_WAITS),
    RATE_LIMITS: JSON.stringify({
      ...{ reads: 1e9, writes: 1e9, estimates: 1e9, tokens: 1e9, tracking: 1e9, failures: 1e9 },
      ...{ codesOfAddress: 1e9, sms: 1e9 },
    }),
  });
  const directory = serverOf(servers, 'directory');
  addTariff(directory, graceSeconds);
  const companies = Array.from({ length: COMPANIES }, (_, index) => addCompany(servers, dice, index));
  const drivers = SHARDS.flatMap((shard, index) => addFleet(servers, { shard, index, dice }));
  const tokenOf = (company: SimulatedCompany, issuedAtMs: number) =>
    signing.sign(claimsOf(company, Math.floor(issuedAtMs / 1000), uuidAt(issuedAtMs, dice)));
  const operator = addOperator(directory, dice);
  const operatorToken = (issuedAtMs: number) => {
    const claims = clientClaims(operator, 'operations', {
      issuedAt: Math.floor(issuedAtMs / 1000),
      tokenId: uuidAt(issuedAtMs, dice),
    });
    return signing.sign(claims);
  };
  const signIn = (driver: SimulatedDriver) => signInAgain(serverOf(servers, driver.shard), driver, dice);
  return { config, companies, drivers, tokenOf, operatorToken, signIn };
}

const NOW = Number(wallOf(0));

function addressOf(id: string) {
  return { url: `http://${id}.sim`, adminUrl: `http://${id}.sim/admin` };
}

export function serverOf(servers: ReadonlyMap<string, DatabaseServer>, id: string): DatabaseServer {
  const server = servers.get(id);
  if (server === undefined) throw new Error(`There is no database ${id}`);
  return server;
}

function addTariff(directory: DatabaseServer, graceSeconds: number): void {
  const { version, currency, baseAmount, kilometreAmount, vatRate, cancellationAmount, citySurcharges } = SAMPLE_TARIFF;
  const columns =
    'version, effective_from, currency, base_amount, kilometre_amount, vat_rate, cancellation_amount, city_surcharges, created_at, cancellation_grace_seconds';
  directory.run(`insert into tariffs (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, [
    ...[version, 0, currency, baseAmount, kilometreAmount, vatRate, cancellationAmount],
    ...[JSON.stringify(citySurcharges), NOW, graceSeconds],
  ]);
}

function addCompany(servers: ReadonlyMap<string, DatabaseServer>, dice: Dice, index: number): SimulatedCompany {
  const shard = SHARDS[index % SHARDS.length] ?? SHARDS[0];
  const [companyId, credentialId, secretId] = [1, 2, 3].map((offset) => uuidAt(NOW / 1000 + offset, dice)) as [
    Uuid,
    Uuid,
    Uuid,
  ];
  const company = {
    ...{ companyId, shard, secretId, clientId: `mcl_simulated_${index}`, hasSandbox: index < 2 },
    ...{ branchCode: `BRANCH-${index}`, pickupLocationCode: `STORE-${index}` },
  };
  const directory = serverOf(servers, 'directory');
  directory.run('insert into companies (id, name, shard, created_at) values (?, ?, ?, ?)', [
    companyId,
    `Company ${index}`,
    shard,
    NOW,
  ]);
  const scopes = 'shipments:read shipments:write webhooks:manage';
  addCredential(directory, { credentialId, secretId, clientId: company.clientId, companyId, scopes });
  const places = serverOf(servers, shard);
  places.run(`insert into branches values (?, ?, 'Branch', null, ?, 'ACTIVE', ?, ?, 0)`, [
    ...[companyId, company.branchCode, CITY, NOW, NOW],
  ]);
  places.run(
    `insert into pickup_locations values (?, ?, ?, 'Store', null, '12 King Faisal Road', ?, '24.7', '46.675', null, null, null, 'ACTIVE', ?, ?, 0)`,
    [companyId, company.pickupLocationCode, company.branchCode, CITY, NOW, NOW],
  );
  return company;
}

function addOperator(directory: DatabaseServer, dice: Dice) {
  const [credentialId, secretId] = [uuidAt(NOW / 1000 + 1, dice), uuidAt(NOW / 1000 + 2, dice)];
  const clientId = 'operator-simulated';
  addCredential(directory, { credentialId, secretId, clientId, companyId: null, scopes: 'operations' });
  return { clientId, secretId };
}

function addCredential(
  directory: DatabaseServer,
  row: { credentialId: Uuid; secretId: Uuid; clientId: string; companyId: Uuid | null; scopes: string },
): void {
  const { credentialId, secretId, clientId, companyId, scopes } = row;
  directory.run('insert into credentials (id, company_id, client_id, scopes, created_at) values (?, ?, ?, ?, ?)', [
    ...[credentialId, companyId, clientId, scopes, NOW],
  ]);
  directory.run(
    `insert into credential_secrets (id, credential_id, secret_hmac, secret_hint, created_at) values (?, ?, '', '', ?)`,
    [secretId, credentialId, NOW],
  );
}

/** Few places, so that creations conflict. */
const ACTIVE_MAX = 3;
const SESSION_UNTIL = NOW * 2;

function addFleet(
  servers: ReadonlyMap<string, DatabaseServer>,
  { shard, index, dice }: { readonly shard: string; readonly index: number; readonly dice: Dice },
): SimulatedDriver[] {
  const server = serverOf(servers, shard);
  for (const { code, capabilities, weightKilogramsMax, lengthCentimetresMax, cities, rank } of SAMPLE_SERVICE_LEVELS) {
    server.run(`insert into service_levels values (?, ?, ?, ?, ?, ?, 'ACTIVE', ?, ?, 0)`, [
      ...[code, JSON.stringify(capabilities), weightKilogramsMax, lengthCentimetresMax],
      ...[JSON.stringify(cities), rank, NOW, NOW],
    ]);
  }
  return SAMPLE_DRIVERS.filter(({ cityCode }) => cityCode === CITY).map((driver, place) => {
    const driverId = uuidAt(NOW / 1000 + place, dice);
    const { firstName, vehicleType, capabilities, weightKilogramsMax, lengthCentimetresMax } = driver;
    const phone = `+9665${index}000000${place}`;
    serverOf(servers, 'directory').run('insert into driver_phones values (?, ?, ?, ?)', [phone, driverId, shard, NOW]);
    server.run(
      `insert into drivers values (?, ?, ?, ?, null, ?, ?, ?, ?, 'ACTIVE', 1, 0, ?, null, null, null, ?, 0, null, null, ?, ?, 0)`,
      [
        ...[driverId, phone, firstName, vehicleType, JSON.stringify(capabilities)],
        ...[weightKilogramsMax, lengthCentimetresMax, CITY, ACTIVE_MAX, NOW, NOW, NOW],
      ],
    );
    const token = driverTokenOf(shard, dice);
    addSession(server, { driverId, token });
    return { driverId, shard, token, hasPhone: true, endedTokens: new Map() };
  });
}

function driverTokenOf(shard: string, dice: Dice): string {
  return `drv_${shard}_${createHash('sha256').update(String(dice.roll())).digest('base64url')}`;
}

function claimsOf(company: SimulatedCompany, issuedAt: number, tokenId: Uuid) {
  const { companyId, shard } = company;
  const scope = 'shipments:read shipments:write webhooks:manage';
  return { ...clientClaims(company, scope, { issuedAt, tokenId }), company: companyId, shard };
}

function clientClaims(
  { clientId, secretId }: Pick<SimulatedCompany, 'clientId' | 'secretId'>,
  scope: string,
  { issuedAt, tokenId }: { readonly issuedAt: number; readonly tokenId: Uuid },
) {
  return {
    ...{ client_id: clientId, scope, sid: secretId, iss: BASE_URL, aud: BASE_URL },
    ...{ sub: clientId, jti: tokenId, iat: issuedAt, exp: issuedAt + 3600 },
  };
}

function addSession(server: DatabaseServer, { driverId, token }: Pick<SimulatedDriver, 'driverId' | 'token'>): void {
  server.run('insert into driver_sessions values (?, ?, ?, ?)', [hashOf(token), driverId, NOW, SESSION_UNTIL]);
}

function signInAgain(server: DatabaseServer, driver: SimulatedDriver, dice: Dice): boolean {
  const { driverId, shard } = driver;
  if (server.rows('select 1 from driver_sessions where token_hash = ?', [hashOf(driver.token)]).length > 0) return true;
  const [row] = server.rows('select status from drivers where id = ?', [driverId]);
  if (row?.['status'] !== 'ACTIVE') return false;
  driver.token = driverTokenOf(shard, dice);
  addSession(server, driver);
  return true;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** PKCS 8 of an Ed25519 key (RFC 8410) up to its 32 bytes. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

function signingKeyOf(secret: Buffer) {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, secret]), format: 'der', type: 'pkcs8' });
  const { x, d } = key.export({ format: 'jwk' });
  const head = encode({ alg: 'EdDSA', typ: 'at+jwt', kid: 'one' });
  return {
    jwk: { kty: 'OKP', crv: 'Ed25519', kid: 'one', x, d },
    sign(claims: object): string {
      const content = `${head}.${encode(claims)}`;
      return `${content}.${sign(null, Buffer.from(content), key).toString('base64url')}`;
    },
  };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
