import { randomBytes } from 'node:crypto';
import { createClient } from '@libsql/client/http';
import { and, asc, eq, isNull } from 'drizzle-orm';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { drizzle } from 'drizzle-orm/libsql/http';
import { companies } from '../../db/directory/schema/companies.ts';
import { credentialSecrets, credentials } from '../../db/directory/schema/credentials.ts';
import { companyMembers, people, signInIdentifiers } from '../../db/directory/schema/people.ts';
import { companySettings } from '../../db/shard/schema/companies.ts';
import { branches, pickupLocations } from '../../db/shard/schema/places.ts';
import { COMPANY_SCOPES } from '../../src/contract/scope.ts';
import { hmacOf } from '../../src/core/crypto.ts';
import { literalDecimal } from '../../src/core/decimal.ts';
import { foldedOf } from '../../src/core/typed/folded.ts';
import type { Uuid } from '../../src/core/uuid.ts';
import { formatClientSecret, secretHintOf } from '../../src/domain/credentials/credential.ts';
import type { Demo, DemoClient, DemoCompany } from './local-files.ts';
import { SAMPLE_COMPANIES, type SampleCompany } from './sample-companies.ts';
import { seedFleet, seedTariff } from './seed-fleet.ts';
import { newId, now, requireUuid } from './seed-values.ts';
import { SetupError } from './setup-error.ts';

export interface SeedOptions {
  readonly directoryUrl: string;
  readonly shards: readonly { readonly id: string; readonly url: string }[];
  /** Production is not seeded: its companies register. */
  readonly deployment: 'local' | 'sandbox';
  readonly credentialKey: string;
  /** The result of an earlier seed. Its ids and secrets are kept. */
  readonly known?: Demo | undefined;
}

/**
 * Adds the sample companies, tariff, service levels, drivers and an operator's client, each row only if it is missing.
 * Answers the clients with their secrets, which are stored nowhere else. A secret that `known` lacks, or that the directory
 * would refuse, is replaced.
 */
export async function seed(options: SeedOptions): Promise<Demo> {
  return withDatabase(options.directoryUrl, async (directory) => {
    const made: DemoCompany[] = [];
    for (const [index, sample] of SAMPLE_COMPANIES.entries()) {
      made.push(await seedCompany(directory, options, { sample, index }));
    }
    await seedTariff(directory);
    for (const [index, { id, url }] of options.shards.entries()) {
      await withDatabase(url, (database) => seedFleet({ directory, database, shard: id, index }));
    }
    const scopes = 'operations';
    return {
      companies: made,
      operator: await seedClient(directory, options, { companyId: null, scopes, known: options.known?.operator }),
    };
  });
}

async function seedCompany(
  directory: LibSQLDatabase,
  options: SeedOptions,
  { sample, index }: { sample: SampleCompany; index: number },
): Promise<DemoCompany> {
  const { name, branch, pickupLocation } = sample;
  const known = options.known?.companies.find((company) => company.name === name);
  const company =
    (await findCompany(directory, name)) ?? (await addCompany(directory, options, { name, index, known }));
  const shard = options.shards.find(({ id }) => id === company.shard);
  if (shard === undefined)
    throw new SetupError(`${name} lives in shard ${company.shard}, which was not given; add it.`);
  await withDatabase(shard.url, (database) => seedPlaces(database, company.id, sample));
  await seedOwner(directory, company.id, sample);
  const scopes = COMPANY_SCOPES.join(' ');
  const client = await seedClient(directory, options, { companyId: company.id, scopes, known });
  const { branchCode } = branch;
  const { email, mobile } = sample.owner;
  const { pickupLocationCode } = pickupLocation;
  return { companyId: company.id, name, ...client, branchCode, pickupLocationCode, owner: { email, mobile } };
}

async function findCompany(directory: LibSQLDatabase, name: string) {
  const oldestFirst = asc(companies.createdAt);
  const [row] = await directory.select().from(companies).where(eq(companies.name, name)).orderBy(oldestFirst).limit(1);
  return row;
}

/** Spreads companies over the shards in their order. */
async function addCompany(
  directory: LibSQLDatabase,
  options: SeedOptions,
  { name, index, known }: { name: string; index: number; known: DemoCompany | undefined },
) {
  const shard = options.shards[index % options.shards.length];
  if (shard === undefined) throw new SetupError('There is no shard to seed; give at least one.');
  const row = {
    id: known === undefined ? newId() : requireUuid(known.companyId),
    name,
    foldedName: foldedOf(name),
    shard: shard.id,
    createdAt: now(),
  };
  await directory.insert(companies).values(row);
  return row;
}

async function seedPlaces(
  database: LibSQLDatabase,
  companyId: Uuid,
  { branch, pickupLocation }: SampleCompany,
): Promise<void> {
  const made = { companyId, status: 'ACTIVE', createdAt: now(), updatedAt: now(), version: 0 } as const;
  await database.insert(companySettings).values({ companyId, approvalPolicy: 'AUTOMATIC' }).onConflictDoNothing();
  await database
    .insert(branches)
    .values({ ...made, ...branch })
    .onConflictDoNothing();
  const { branchCode, cityCode } = branch;
  const latitude = literalDecimal(pickupLocation.latitude);
  const longitude = literalDecimal(pickupLocation.longitude);
  const row = { ...made, ...pickupLocation, branchCode, cityCode, latitude, longitude };
  await database.insert(pickupLocations).values(row).onConflictDoNothing();
}

/** Adds an owner of a sample company if it has no people. Sign-in is by e-mail address or mobile, as for all people. */
async function seedOwner(
  directory: LibSQLDatabase,
  companyId: Uuid,
  { owner }: Pick<SampleCompany, 'owner'>,
): Promise<void> {
  const members = await directory.select().from(companyMembers).where(eq(companyMembers.companyId, companyId)).limit(1);
  if (members.length > 0) return;
  const { fullName, email, mobile } = owner;
  const row = { id: newId(), fullName, email, mobile, createdAt: now() };
  await directory.insert(people).values(row);
  for (const identifier of [email, mobile])
    await directory
      .insert(signInIdentifiers)
      .values({ identifier, personId: row.id, provedAt: row.createdAt })
      .onConflictDoNothing();
  await directory.insert(companyMembers).values({ companyId, personId: row.id, role: 'OWNER', createdAt: now() });
}

interface ClientRequest {
  /** Null for an operator's client. */
  readonly companyId: Uuid | null;
  readonly scopes: string;
  readonly known: DemoClient | undefined;
}

async function seedClient(
  directory: LibSQLDatabase,
  options: SeedOptions,
  request: ClientRequest,
): Promise<DemoClient> {
  const { companyId, scopes, known } = request;
  const owner = companyId === null ? isNull(credentials.companyId) : eq(credentials.companyId, companyId);
  const isLive = and(owner, isNull(credentials.deletedAt));
  const [found] = await directory.select().from(credentials).where(isLive).orderBy(asc(credentials.createdAt)).limit(1);
  const credential = found ?? { id: newId(), companyId, clientId: newClientId(), scopes, createdAt: now() };
  if (found === undefined) await directory.insert(credentials).values(credential);
  if (credential.scopes !== scopes) {
    await directory.update(credentials).set({ scopes }).where(eq(credentials.id, credential.id));
  }
  const secret = await seedSecret(directory, options, { credentialId: credential.id, known: known?.clientSecret });
  return { clientId: credential.clientId, clientSecret: secret };
}

/** Answers a secret without an end date: the known one, or a new one that replaces all others. */
async function seedSecret(
  directory: LibSQLDatabase,
  options: SeedOptions,
  { credentialId, known }: { credentialId: Uuid; known: string | undefined },
): Promise<string> {
  const ofCredential = eq(credentialSecrets.credentialId, credentialId);
  if (known !== undefined) {
    const secretHmac = await hmacOf(options.credentialKey, known);
    const isKnown = and(
      ofCredential,
      eq(credentialSecrets.secretHmac, secretHmac),
      isNull(credentialSecrets.expiresAt),
    );
    if ((await directory.select().from(credentialSecrets).where(isKnown)).length > 0) return known;
  }
  const secret = formatClientSecret(options.deployment, randomBytes(32));
  const secretHmac = await hmacOf(options.credentialKey, secret);
  const row = {
    id: newId(),
    credentialId,
    secretHmac,
    secretHint: secretHintOf(secret),
    createdAt: now(),
    expiresAt: null,
  };
  await directory.delete(credentialSecrets).where(ofCredential);
  await directory.insert(credentialSecrets).values(row);
  return secret;
}

async function withDatabase<Value>(url: string, work: (database: LibSQLDatabase) => Promise<Value>): Promise<Value> {
  const client = createClient({ url });
  try {
    return await work(drizzle(client));
  } finally {
    client.close();
  }
}

function newClientId(): string {
  return `mcl_${randomBytes(18).toString('base64url')}`;
}
