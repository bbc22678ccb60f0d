import { AccessTokens } from '../access/access-token.ts';
import { Sealer } from '../access/sealer.ts';
import { hmacOf, sha256Hex } from '../core/crypto.ts';
import { addMillis } from '../core/instant.ts';
import { NIL_UUID } from '../core/uuid.ts';
import { EndpointSecrets } from '../domain/webhooks/secret.ts';
import type { Config } from './config.ts';
import { type KnownKey, keyForgotten, keyNoted, knownKeys, sealedSecrets, secretsMade } from './key-store.ts';
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

/** What is wrong with the keys of a list, and what to do, without key material. */
export interface KeyFault {
  readonly list: KeyList;
  readonly found: string;
  readonly mend: string;
}

/** `start` notes the fingerprints if no key is wrong, `ask` notes nothing, and `accept` also notes a loss. */
export type KeyMode = 'start' | 'ask' | 'accept';

/** Tries all keys. A database that does not answer is not asked again, so nothing is said about its values. */
export async function keyFaults(services: KeyServices, mode: KeyMode = 'start'): Promise<KeyFault[]> {
  const broken = await tryKeys(services);
  if (broken.length > 0) return broken;
  const { config, directory } = services;
  const [present, known] = await Promise.all([listedKeys(config), directory.database.read(knownKeys())]);
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
async function tryKeys({ config, clock, random }: KeyServices): Promise<KeyFault[]> {
  const faults: KeyFault[] = [];
  const attempt = async (fault: KeyFault, works: () => Promise<boolean>) => {
    if (!(await works().catch(() => false))) faults.push(fault);
  };
  const kids = config.signingKeys.map(({ kid }) => kid);
  for (const [index, key] of config.signingKeys.entries()) {
    const tokens = new AccessTokens([key], config.baseUrl);
    const list = 'TOKEN_SIGNING_KEYS';
    const found = `the key ${key.kid} does not verify what it signs: x and d are not of one key`;
    await attempt(
      { list, found, mend: 'Put the whole key back, or make one with npm run -s keys -- new' },
      async () => {
        const token = await tokens.issue(NOBODY, clock.now());
        return (await tokens.verify(token, clock.now())) !== undefined;
      },
    );
    if (kids.indexOf(key.kid) !== index)
      faults.push({ list, found: `the key ${key.kid} is listed twice`, mend: 'Remove one of them' });
  }
  const sealing = [
    ...config.cursorKeys.map((key) => ['CURSOR_KEYS', key] as const),
    ...config.priceLockKeys.map((key) => ['PRICE_LOCK_KEYS', key] as const),
  ];
  const mend = 'Put the right one back';
  for (const [list, key] of sealing) {
    const sealer = new Sealer([key], random);
    await attempt(
      { list, found: 'a key does not open what it seals', mend },
      async () => (await sealer.open(['try'], await sealer.seal(['try'], ['text'])))?.[0] === 'text',
    );
  }
  for (const key of config.webhookKeys) {
    const secrets = new EndpointSecrets([key], random);
    await attempt(
      { list: 'WEBHOOK_KEYS', found: `the key ${key.kid} does not open what it seals`, mend },
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

interface Compared {
  readonly present: readonly ListedKey[];
  readonly known: readonly KnownKey[];
}

/** Known keys that are missing although values need them: those that still lead, and those of older client secrets. */
async function lostKeys({ directory }: KeyServices, { present, known }: Compared): Promise<KeyFault[]> {
  const faults: KeyFault[] = [];
  for (const list of KEY_LISTS) {
    const has = new Set(present.filter((key) => key.list === list).map(({ fingerprint }) => fingerprint));
    for (const { fingerprint, leadsFrom, leadsUntil } of known.filter((key) => key.list === list)) {
      if (has.has(fingerprint) || leadsFrom === null) continue;
      const key = `the key with the fingerprint ${fingerprint.slice(0, 8)}`;
      if (leadsUntil === null)
        faults.push({ list, found: `${key}, which is in use, is missing; without it ${LOST[list]}`, mend: ACCEPT });
      else if (list === 'CREDENTIAL_KEYS') {
        const needed = await directory.database.read(secretsMade(leadsFrom, addMillis(leadsUntil, ROLLOUT_MS)));
        const count = needed.ok ? Number(needed.rows[0]?.count ?? 0) : 0;
        if (count > 0)
          faults.push({
            list,
            found: `${key} is missing; without it ${count} client secrets become invalid`,
            mend: ACCEPT,
          });
      }
    }
  }
  return faults;
}
/** For this long, processes of the version before still use the earlier key. */
const ROLLOUT_MS = 3_600_000;

/** Opens a stored secret with each key that the shards need. */
async function sealedFaults({ config, random, shards }: KeyServices): Promise<KeyFault[]> {
  const secrets = new EndpointSecrets(config.webhookKeys, random);
  const found = new Set<string>();
  for (const { database } of shards.values()) {
    const sealed = await database.read(sealedSecrets());
    for (const { id, secret } of sealed.ok ? sealed.rows : []) {
      const [kid] = secret.split('.');
      const isListed = config.webhookKeys.some((key) => key.kid === kid);
      if (!isListed) found.add(`the key ${kid} is missing; without it ${LOST.WEBHOOK_KEYS}`);
      else if (!(await opens(secrets, id, secret)))
        found.add(`the key ${kid} is another one than that of the stored values; with it ${LOST.WEBHOOK_KEYS}`);
    }
  }
  return Array.from(found, (text) => ({ list: 'WEBHOOK_KEYS' as const, found: text, mend: ACCEPT }));
}

function opens(secrets: EndpointSecrets, id: string, secret: string): Promise<boolean> {
  return secrets.open(id, secret).then(
    () => true,
    () => false,
  );
}

/** Writes only what has changed since the last start. Two processes that start at once write the same. */
async function note(
  { clock, directory }: KeyServices,
  { present, known, mayLose }: Compared & { readonly mayLose: boolean },
): Promise<void> {
  const now = clock.now();
  const isOf = (one: ListedKey, other: KnownKey) => one.list === other.list && one.fingerprint === other.fingerprint;
  const isNoted = (key: ListedKey) => {
    const row = known.find((other) => isOf(key, other));
    return row !== undefined && key.isFirst === (row.leadsFrom !== null && row.leadsUntil === null);
  };
  const noted = present
    .filter((key) => !isNoted(key))
    .map(({ list, fingerprint, isFirst }) => keyNoted({ list, fingerprint, leadsFrom: isFirst ? now : null }, now));
  const gone = mayLose ? known.filter((other) => !present.some((key) => isOf(key, other))) : [];
  const statements = [...noted, ...gone.map(keyForgotten)];
  if (statements.length > 0) await directory.writer.commit({ statements });
}
