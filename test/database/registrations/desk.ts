import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client/http';
import { type Database, openDatabase } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import { Dice } from '../../../scripts/shared/dice.ts';
import { DatabaseServer } from '../../../scripts/shared/memory/database-server.ts';
import { migrate } from '../../../scripts/shared/migrate.ts';
import { freePort } from '../../../scripts/shared/ports.ts';
import { requireUuid } from '../../../scripts/shared/seed-values.ts';
import { type Sqld, startSqld } from '../../../scripts/shared/sqld.ts';
import type { RegistrationRequest } from '../../../src/contract/registration.ts';
import type { RegistryDependencies } from '../../../src/domain/addresses/registry.ts';
import type { CompletionDependencies } from '../../../src/domain/registrations/completion.ts';
import type { RegistrationDependencies } from '../../../src/domain/registrations/registration.ts';
import { EndpointSecrets } from '../../../src/domain/webhooks/secret.ts';
import type { Message } from '../../../src/ports/message.ts';
import { noMetrics } from '../../../src/providers/absent.ts';
import { monotonicMs, systemRandom } from '../../../src/providers/system.ts';
import { openCommitter } from '../../../src/service/database-writer-core.ts';
import { addressOf, fetchFrom, WELL } from '../../support/dispatch/memory-shard.ts';
import { TestClock } from '../../support/dispatch/process.ts';

/*
 * Registration and sign-in on a real directory and shard, with a simulated clock, recorded messages and a count of
 * requests to the directory.
 */

export interface Desk {
  readonly clock: TestClock;
  /** The dependencies of the domain functions. */
  readonly services: Omit<CompletionDependencies & RegistrationDependencies, 'shards'> & {
    readonly config: RegistryDependencies['config'];
    readonly shards: ReadonlyMap<string, { readonly database: Database; readonly writer: Writer }>;
  };
  /** Sent messages, oldest first. */
  readonly sent: Message[];
  /** Requests to the directory since the last call: `read` and `commit`, in order. */
  readonly trips: () => string[];
  /** Waits until the work after the responses is done. */
  readonly rest: () => Promise<void>;
  /** While true, every write to the shard is lost. */
  readonly setShardLost: (isLost: boolean) => void;
  /** Sets whether new companies need an approval. */
  readonly setApprovalRequired: (isRequired: boolean) => void;
  /** Sets the message provider. */
  readonly setProvider: (provider: 'inbox' | 'none' | 'carrier') => void;
  /** Whether the SMS carrier counts as down, and whether carriers take messages. */
  readonly setCarrier: (state: { readonly isDown?: boolean; readonly isTaken?: boolean }) => void;
  readonly sql: (
    database: 'directory' | 'shard-1',
    statement: string,
    args?: readonly (string | number)[],
  ) => Promise<unknown[][]>;
  readonly close: () => Promise<void>;
}

export async function openDesk(): Promise<Desk> {
  const databases = process.env['SHARDS_IN_MEMORY'] === 'yes' ? openInMemory() : await openServed();
  const clock = new TestClock();
  const sent: Message[] = [];
  const trips: string[] = [];
  const pending: Promise<unknown>[] = [];
  const state = { isShardLost: false, isDown: false, isTaken: true, provider: 'carrier', isApprovalRequired: false };
  const store = databases.storeOf('shard-1');
  const losing: Writer = {
    commit: (unit) => (state.isShardLost ? Promise.resolve({ status: 'unknown' }) : store.writer.commit(unit)),
  };
  return {
    clock,
    sent,
    trips: () => trips.splice(0),
    rest: async () => void (await Promise.all(pending.splice(0))),
    setShardLost: (isLost) => {
      state.isShardLost = isLost;
    },
    setApprovalRequired: (isRequired) => {
      state.isApprovalRequired = isRequired;
    },
    setCarrier: ({ isDown = false, isTaken = true }) => {
      Object.assign(state, { isDown, isTaken });
    },
    setProvider: (provider) => {
      state.provider = provider;
    },
    services: {
      directory: counted(databases.storeOf('directory'), trips),
      shards: new Map([['shard-1', { ...store, writer: losing }]]),
      clock,
      random: systemRandom,
      endpointSecrets: new EndpointSecrets([{ kid: 'test', key: 'A'.repeat(43) }], systemRandom),
      messages: {
        get provider() {
          // A message provider is never the inbox.
          return state.provider as 'inbox' | 'none';
        },
        isDown: (channel) => state.isDown && channel === 'SMS',
        send(message) {
          if (state.isTaken) sent.push(message);
          return Promise.resolve(state.isTaken);
        },
      },
      config: {
        credentialKey: Buffer.alloc(32, 7).toString('base64url'),
        deployment: 'production',
        addresses: {},
        get isApprovalRequired() {
          return state.isApprovalRequired;
        },
        baseUrl: 'https://mirsal.example',
        rateLimits: {
          codes: 5,
          codesOfAddress: 30,
          recipientCodes: 3,
          registrations: 10,
          sms: 100,
          registrationSms: 100,
          invitations: 200,
        },
      },
      later: (work) => void pending.push(work),
    },
    sql: databases.sql,
    close: databases.close,
  };
}

interface Databases extends Pick<Desk, 'sql' | 'close'> {
  readonly storeOf: (id: string) => { readonly database: Database; readonly writer: Writer };
}

async function openServed(): Promise<Databases> {
  const folder = mkdtempSync(join(tmpdir(), 'mirsal-onboarding-'));
  const start = async (name: string) =>
    startSqld({ folder: join(folder, name), port: await freePort(), adminPort: await freePort() });
  const servers = { directory: await start('directory'), 'shard-1': await start('shard-1') };
  await migrate({ kind: 'directory', id: 'directory', deployment: 'local', url: servers.directory.url });
  await migrate({ kind: 'shard', id: 'shard-1', deployment: 'local', url: servers['shard-1'].url });
  const clientOf = ({ url }: Sqld) => createClient({ url });
  const clients = { directory: clientOf(servers.directory), 'shard-1': clientOf(servers['shard-1']) };
  return {
    storeOf: (id) =>
      storeOf(id, id === 'directory' ? servers.directory : servers['shard-1'], (...args) => fetch(...args)),
    async sql(id, statement, args = []) {
      const { columns, rows } = await clients[id].execute({ sql: statement, args: [...args] });
      return rows.map((row) => columns.map((name) => row[name]));
    },
    async close() {
      for (const client of Object.values(clients)) client.close();
      await Promise.all(Object.values(servers).map((server) => server.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** SQLite in memory for mutation tests, because sqld would take most of their time. */
function openInMemory(): Databases {
  const options = { dice: new Dice(1), onCommit: () => undefined };
  const servers = {
    directory: new DatabaseServer({ kind: 'directory', ...options }),
    'shard-1': new DatabaseServer({ kind: 'shard', id: 'shard-1', ...options }),
  };
  const fetch = fetchFrom(new Map(Object.entries(servers)), { carry: WELL });
  return {
    storeOf: (id) => storeOf(id, addressOf(id), fetch),
    sql: async (id, statement, args = []) => servers[id].rows(statement, args).map((row) => Object.values(row)),
    async close() {
      for (const server of Object.values(servers)) server.close();
    },
  };
}

function storeOf(
  id: string,
  { url, adminUrl }: Pick<Sqld, 'url' | 'adminUrl'>,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
) {
  const kind = id === 'directory' ? 'directory' : 'shard';
  const identity = { kind, id, deployment: 'local' } as const;
  const address = { id, url, admin: { url: adminUrl }, authToken: undefined, identity };
  const report = (...failure: readonly string[]) => {
    throw new Error(failure.join(': '));
  };
  const options = {
    metrics: noMetrics,
    address,
    requireDurable: true,
    fetch,
    monotonicMs,
    report,
  };
  return {
    database: openDatabase({ ...address, fetch, monotonicMs, report }),
    writer: openCommitter(options),
  };
}

function counted(store: { readonly database: Database; readonly writer: Writer }, trips: string[]) {
  const { database, writer } = store;
  const count = <Arguments extends unknown[], Value>(name: string, call: (...args: Arguments) => Value) => {
    return (...args: Arguments) => {
      trips.push(name);
      return call(...args);
    };
  };
  return {
    database: {
      id: database.id,
      read: count('read', database.read.bind(database)),
      readAll: count('read', database.readAll.bind(database)),
    } as Database,
    writer: { commit: count('commit', writer.commit.bind(writer)) },
  };
}

let made = 0;

/** A person with new contacts. */
export function newcomer(changes: Partial<RegistrationRequest> = {}): RegistrationRequest {
  made += 1;
  return {
    email: `owner-${made}@people.example`,
    storeName: 'Taif Roses',
    legalBasis: 'COMMERCIAL_ENTITY',
    commercialRegistrationNumber: '4030123456',
    fullName: 'Noura Al-Qahtani',
    mobileNumber: `5${String(made).padStart(8, '0')}`,
    deviceReference: requireUuid(randomUUID()),
    ...changes,
  };
}
