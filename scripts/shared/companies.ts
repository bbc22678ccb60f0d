import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { COMPANY_SCOPES } from '../../src/contract/scope.ts';
import { hmacOf } from '../../src/core/crypto.ts';
import { foldedOf } from '../../src/core/typed/folded.ts';
import { formatClientSecret, secretHintOf } from '../../src/domain/credentials/credential.ts';
import type { Environment, TestClient, TestCompany } from './connection.ts';
import type { ShardId } from './sql.ts';

export const MERCHANT_SCOPES = COMPANY_SCOPES.join(' ');

/** A new company that no other test uses, so that its shipments can be counted. Branch and pickup codes are the usual ones. */
export async function addCompany(environment: Environment, shard: ShardId = 'shard-1'): Promise<TestCompany> {
  const company = {
    companyId: v7(),
    name: 'Tihama Spices',
    shard,
    branchCode: 'ABHA-1',
    pickupLocationCode: 'ABHA-STORE',
  };
  const { companyId, name } = company;
  const insert = 'insert into companies (id, name, folded_name, shard, created_at) values (?, ?, ?, ?, ?)';
  await environment.sql('directory', insert, [companyId, name, foldedOf(name), shard, nowMicros()]);
  await addBranch(environment, company, { branchCode: company.branchCode });
  await addPickupLocation(environment, company, company);
  const client = await addClient(environment, { companyId });
  return { ...company, ...client };
}

export interface ClientOptions {
  /** Undefined for an operator's client. */
  readonly companyId?: string;
  readonly scopes?: string;
}

/** Adds an OAuth client. */
export async function addClient(environment: Environment, options: ClientOptions): Promise<TestClient> {
  const { companyId, scopes = MERCHANT_SCOPES } = options;
  const credentialId = v7();
  const clientId = `mcl_${randomBytes(18).toString('base64url')}`;
  await environment.sql(
    'directory',
    'insert into credentials (id, company_id, client_id, scopes, created_at) values (?, ?, ?, ?, ?)',
    [credentialId, companyId ?? null, clientId, scopes, nowMicros()],
  );
  return { clientId, clientSecret: await addSecret(environment, clientId) };
}

/** Adds a secret of a client, without end or until `expiresAt` (microseconds since 1970). */
export async function addSecret(
  environment: Environment,
  clientId: string,
  expiresAt: number | null = null,
): Promise<string> {
  const secret = formatClientSecret('local', randomBytes(32));
  const hmac = await hmacOf(environment.credentialKey, secret);
  await environment.sql(
    'directory',
    `insert into credential_secrets (id, credential_id, secret_hmac, secret_hint, created_at, expires_at)
     select ?, id, ?, ?, ?, ? from credentials where client_id = ?`,
    [v7(), hmac, secretHintOf(secret), nowMicros(), expiresAt, clientId],
  );
  return secret;
}

export interface PlaceOptions {
  readonly branchCode: string;
  readonly status?: 'ACTIVE' | 'INACTIVE';
  readonly createdAt?: number;
}
type Owner = Pick<TestCompany, 'companyId' | 'shard'>;

export async function addBranch(environment: Environment, owner: Owner, options: PlaceOptions): Promise<void> {
  const { branchCode, status = 'ACTIVE', createdAt = nowMicros() } = options;
  await environment.sql(
    owner.shard,
    `insert into branches (company_id, branch_code, name, name_ar, city_code, status, created_at, updated_at, version)
     values (?, ?, 'Abha, Al Mansak', 'أبها، المنسك', 'AHB', ?, ?, ?, 3)`,
    [owner.companyId, branchCode, status, createdAt, createdAt],
  );
}

export async function addPickupLocation(
  environment: Environment,
  owner: Owner,
  options: PlaceOptions & { readonly pickupLocationCode: string },
): Promise<void> {
  const { branchCode, pickupLocationCode, status = 'ACTIVE', createdAt = nowMicros() } = options;
  await environment.sql(
    owner.shard,
    `insert into pickup_locations (company_id, pickup_location_code, branch_code, name, name_ar, address_line,
       city_code, latitude, longitude, contact_name, contact_phone, instructions, status, created_at, updated_at,
       version)
     values (?, ?, ?, 'Al Mansak store', null, '12 King Faisal Road, Abha', 'AHB', '18.216389', '42.505', 'Huda',
       '+966512345678', null, ?, ?, ?, 5)`,
    [owner.companyId, pickupLocationCode, branchCode, status, createdAt, createdAt],
  );
}

/** Microseconds since 1970. */
export function nowMicros(): number {
  return Date.now() * 1000;
}
