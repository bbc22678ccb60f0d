import type { ReadStatement } from '../../db/statement.ts';
import { AccessTokens } from '../access/access-token.ts';
import { Sealer } from '../access/sealer.ts';
import { hmacOf, sha256Hex } from '../core/crypto.ts';
import { addMillis, type Instant } from '../core/instant.ts';
import { NIL_UUID } from '../core/uuid.ts';
import { EndpointSecrets } from '../domain/webhooks/secret.ts';
import type { Config } from './config.ts';
import type { Services } from './services.ts';

/*
 * Tries every key before it is used: each signs and verifies, or seals and opens, and those of WEBHOOK_KEYS open one stored
 * secret each. The directory keeps a fingerprint of every key that was used, so that a start with the keys of another
 * deployment, or without the one that seals now, is refused. Adding and promoting keys is always accepted.
 */

type KeyServices = Pick<Services, 'config' | 'clock' | 'random' | 'directory' | 'shards'>;

interface ListedKey {
  readonly list: KeyList;
  readonly fingerprint: string;
  readonly isFirst: boolean;
}
const KEY_LISTS = ['TOKEN_SIGNING_KEYS', 'CREDENTIAL_KEYS', 'CURSOR_KEYS', 'PRICE_LOCK_KEYS', 'WEBHOOK_KEYS'] as const;
type KeyList = (typeof KEY_LISTS)[number];

/** What the loss of a list makes invalid. */
const LOST: Readonly<Record<KeyList, string>> = {
  TOKEN_SIGNING_KEYS: 'access tokens of the last hour become invalid',
  CREDENTIAL_KEYS: 'client secrets become invalid',
  CURSOR_KEYS: 'cursors of lists become invalid',
  PRICE_LOCK_KEYS: 'price locks become invalid',
  WEBHOOK_KEYS: 'signing secrets of webhooks and kept answers become unreadable',
};
const ACCEPT = 'Put it back, or accept the loss with npm run doctor -- --accept-keys';

/**
 * What is wrong with the keys: `NAME: reason and what to do` each, without key material. `start` notes the
 * fingerprints if nothing is, `ask` notes nothing, and `accept` also notes a loss. A database that does not answer is not asked again, so nothing is said about its values.
 */
export async function keyFaults(services: KeyServices, mode: 'start' | 'ask' | 'accept' = 'start'): Promise<string[]> {
  const broken = await tryKeys(services);
  if (broken.length > 0) return broken;
  const { config, directory } = services;
  const [present, known] = await Promise.all([listedKeys(config), directory.database.read(SELECT_KNOWN)]);
  if (!known.ok) return [];
  // A developer's keys are made anew when their file is damaged.
  const mayLose = mode === 'accept' || config.deployment === 'local';
  const lost = mayLose
    ? []
    : [...(await lostKeys(services, { present, known: known.rows })), ...(await sealedFaults(services))];
  if (lost.length === 0 && mode !== 'ask') await note(services, { present, known: known.rows, mayLose });
  return lost;
}

/** Each key signs and verifies, or seals and opens. A malformed key, or a public half of another one, fails here. */
async function tryKeys({ config, clock, random }: KeyServices): Promise<string[]> {
  const faults: string[] = [];
  const attempt = async (name: string, mend: string, works: () => Promise<boolean>) => {
    if (!(await works().catch(() => false))) faults.push(`${name} ${mend}`);
  };
  const kids = config.signingKeys.map(({ kid }) => kid);
  for (const [index, key] of config.signingKeys.entries()) {
    const tokens = new AccessTokens([key], config.baseUrl);
    const name = `TOKEN_SIGNING_KEYS: the key ${key.kid}`;
    await attempt(
      name,
      'does not verify what it signs: x and d are not of one key. Put the whole key back, or make one with npm run -s keys -- new',
      async () => {
        const token = await tokens.issue(NOBODY, clock.now());
        return (await tokens.verify(token, clock.now())) !== undefined;
      },
    );
    if (kids.indexOf(key.kid) !== index) faults.push(`${name} is listed twice. Remove one of them`);
  }
  const sealing = [
    ...config.cursorKeys.map((key) => ['CURSOR_KEYS', key] as const),
    ...config.priceLockKeys.map((key) => ['PRICE_LOCK_KEYS', key] as const),
  ];
  for (const [name, key] of sealing) {
    const sealer = new Sealer([key], random);
    await attempt(
      `${name}: a key`,
      'does not open what it seals. Put the right one back',
      async () => (await sealer.open(['try'], await sealer.seal(['try'], ['text'])))?.[0] === 'text',
    );
  }
  for (const key of config.webhookKeys) {
    const secrets = new EndpointSecrets([key], random);
    await attempt(
      `WEBHOOK_KEYS: the key ${key.kid}`,
      'does not open what it seals. Put the right one back',
      async () => (await secrets.open('try', await secrets.seal('try', 'text'))) === 'text',
    );
  }
  return faults;
}
const NOBODY = {
  kind: 'operator',
  clientId: 'operator-key-check',
  secretId: NIL_UUID,
  tokenId: NIL_UUID,
  scopes: new Set<never>(),
} as const;

/** The keys with their fingerprints: SHA-256 of what an HMAC, or the public half, derives from a key. */
async function listedKeys(config: Config): Promise<ListedKey[]> {
  const derived: Readonly<Record<KeyList, readonly Promise<string>[]>> = {
    TOKEN_SIGNING_KEYS: config.signingKeys.map(async ({ x }) => x),
    CREDENTIAL_KEYS: config.credentialKeys.map(fingerprintText),
    CURSOR_KEYS: config.cursorKeys.map(fingerprintText),
    PRICE_LOCK_KEYS: config.priceLockKeys.map(fingerprintText),
    WEBHOOK_KEYS: config.webhookKeys.map(({ key }) => fingerprintText(key)),
  };
  const keys = KEY_LISTS.flatMap((list) =>
    derived[list].map(async (text, index) => ({
      list,
      fingerprint: await sha256Hex(new TextEncoder().encode(`${list} ${await text}`)),
      isFirst: index === 0,
    })),
  );
  return Promise.all(keys);
}
const fingerprintText = (key: string) => hmacOf(key, 'fingerprint of a key');

interface KnownKey {
  readonly list: string;
  readonly fingerprint: string;
  readonly leadsFrom: Instant | null;
  readonly leadsUntil: Instant | null;
}
const SELECT_KNOWN: ReadStatement<KnownKey> = {
  sql: 'SELECT list, fingerprint, leads_from, leads_until FROM key_fingerprints',
  args: [],
  decode: ([list, fingerprint, leadsFrom, leadsUntil]) => ({
    list: String(list),
    fingerprint: String(fingerprint),
    leadsFrom: leadsFrom as Instant | null,
    leadsUntil: leadsUntil as Instant | null,
  }),
};

interface Compared {
  readonly present: readonly ListedKey[];
  readonly known: readonly KnownKey[];
}

/** Known keys that are missing although values need them: those that still lead, and those of older client secrets. */
async function lostKeys({ directory }: KeyServices, { present, known }: Compared): Promise<string[]> {
  const faults: string[] = [];
  for (const list of KEY_LISTS) {
    const has = new Set(present.filter((key) => key.list === list).map(({ fingerprint }) => fingerprint));
    for (const { fingerprint, leadsFrom, leadsUntil } of known.filter((key) => key.list === list)) {
      if (has.has(fingerprint) || leadsFrom === null) continue;
      const name = `${list}: the key with the fingerprint ${fingerprint.slice(0, 8)}`;
      if (leadsUntil === null) faults.push(`${name}, which is in use, is missing; without it ${LOST[list]}. ${ACCEPT}`);
      else if (list === 'CREDENTIAL_KEYS') {
        const [from, until] = [leadsFrom, addMillis(leadsUntil, ROLLOUT_MS)];
        const needed = await directory.database.read(secretsOf(from, until));
        if (needed.ok && needed.rows[0] !== 0n)
          faults.push(
            `${name} is missing; without it ${String(needed.rows[0])} client secrets become invalid. ${ACCEPT}`,
          );
      }
    }
  }
  return faults;
}
/** For this long, processes of the version before still use the earlier key. */
const ROLLOUT_MS = 3_600_000;

function secretsOf(from: Instant, until: Instant): ReadStatement<unknown> {
  const sql = `SELECT count(*) FROM credential_secrets s JOIN credentials c ON c.id = s.credential_id
    WHERE s.created_at >= ? AND s.created_at < ? AND c.deleted_at IS NULL AND s.expires_at IS NULL`;
  return { sql, args: [from, until], decode: ([count]) => count };
}

/** One secret of each kid. SQLite takes the other columns of a group from one of its rows. */
const SELECT_SEALED: ReadStatement<{ readonly id: string; readonly secret: string }> = {
  sql: "SELECT id, secret FROM webhook_endpoints WHERE state <> 'DELETED' GROUP BY substr(secret, 1, instr(secret, '.'))",
  args: [],
  decode: ([id, secret]) => ({ id: String(id), secret: String(secret) }),
};

/** Opens a stored secret with each key that the shards need. */
async function sealedFaults({ config, random, shards }: KeyServices): Promise<string[]> {
  const secrets = new EndpointSecrets(config.webhookKeys, random);
  const faults = new Set<string>();
  for (const { database } of shards.values()) {
    const sealed = await database.read(SELECT_SEALED);
    for (const { id, secret } of sealed.ok ? sealed.rows : []) {
      const [kid] = secret.split('.');
      const has = config.webhookKeys.some((key) => key.kid === kid);
      if (!has) faults.add(`WEBHOOK_KEYS: the key ${kid} is missing; without it ${LOST.WEBHOOK_KEYS}. ${ACCEPT}`);
      else if (
        !(await secrets.open(id, secret).then(
          () => true,
          () => false,
        ))
      )
        faults.add(
          `WEBHOOK_KEYS: the key ${kid} is another one than that of the stored values; with it ${LOST.WEBHOOK_KEYS}. ${ACCEPT}`,
        );
    }
  }
  return [...faults];
}

/** Writes only what has changed since the last start. Two processes that start at once write the same. */
async function note(
  { clock, directory }: KeyServices,
  { present, known, mayLose }: Compared & { readonly mayLose: boolean },
): Promise<void> {
  const now = clock.now();
  const statements = present.flatMap(({ list, fingerprint, isFirst }) => {
    const row = known.find((key) => key.list === list && key.fingerprint === fingerprint);
    if (
      row !== undefined &&
      (isFirst ? row.leadsFrom !== null && row.leadsUntil === null : row.leadsFrom === null || row.leadsUntil !== null)
    )
      return [];
    const sql = `INSERT INTO key_fingerprints (list, fingerprint, leads_from, leads_until) VALUES (?1, ?2, ?3, NULL)
      ON CONFLICT DO UPDATE SET leads_from = coalesce(leads_from, ?3), leads_until = CASE WHEN ?3 IS NULL THEN ?4 END`;
    return [{ sql, args: [list, fingerprint, isFirst ? now : null, now] }];
  });
  const gone = known.filter(
    (key) => !present.some(({ list, fingerprint }) => list === key.list && fingerprint === key.fingerprint),
  );
  const forgotten = (mayLose ? gone : []).map(({ list, fingerprint }) => ({
    sql: 'DELETE FROM key_fingerprints WHERE list = ? AND fingerprint = ?',
    args: [list, fingerprint],
  }));
  if (statements.length + forgotten.length > 0)
    await directory.writer.commit({ statements: [...statements, ...forgotten] });
}
