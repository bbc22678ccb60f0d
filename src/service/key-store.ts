import { and, eq, gte, isNull, lt, ne, sql } from 'drizzle-orm';
import { credentialSecrets, credentials } from '../../db/directory/schema/credentials.ts';
import { keyFingerprints } from '../../db/directory/schema/identity.ts';
import { webhookEndpoints } from '../../db/shard/schema/webhooks.ts';
import { columnsOf, placeholder, queries, read, write } from '../../db/statement.ts';
import type { Instant } from '../core/instant.ts';

/* The SQL of what is known of the service's keys, and of the values that need them. */

export type KnownKey = typeof keyFingerprints.$inferSelect;

const selectKnown = read(columnsOf(keyFingerprints), (columns) => queries.select(columns).from(keyFingerprints));
export function knownKeys() {
  return selectKnown({});
}

const leads = sql`${placeholder('leadsFrom')}`;
const upsertKey = write(
  queries
    .insert(keyFingerprints)
    .values({
      list: placeholder('list'),
      fingerprint: placeholder('fingerprint'),
      leadsFrom: placeholder('leadsFrom'),
      leadsUntil: null,
    })
    .onConflictDoUpdate({
      target: [keyFingerprints.list, keyFingerprints.fingerprint],
      set: {
        leadsFrom: sql`coalesce(${keyFingerprints.leadsFrom}, ${leads})`,
        leadsUntil: sql`case when ${leads} is null then ${placeholder('now')} end`,
      },
    }),
);
/** Notes that a key is in use. `leadsFrom` is now if it is the first of its list, and null otherwise. */
export function keyNoted(key: Pick<KnownKey, 'list' | 'fingerprint' | 'leadsFrom'>, now: Instant) {
  const { list, fingerprint, leadsFrom } = key;
  return upsertKey({ list, fingerprint, leadsFrom, now });
}

const deleteKey = write(
  queries
    .delete(keyFingerprints)
    .where(
      and(eq(keyFingerprints.list, placeholder('list')), eq(keyFingerprints.fingerprint, placeholder('fingerprint'))),
    ),
);
export function keyForgotten({ list, fingerprint }: Pick<KnownKey, 'list' | 'fingerprint'>) {
  return deleteKey({ list, fingerprint });
}

const selectSecrets = read({ count: credentialSecrets.createdAt }, () =>
  queries
    .select({ count: sql`count(*)` })
    .from(credentialSecrets)
    .innerJoin(credentials, eq(credentials.id, credentialSecrets.credentialId))
    .where(
      and(
        gte(credentialSecrets.createdAt, placeholder('from')),
        lt(credentialSecrets.createdAt, placeholder('until')),
        isNull(credentials.deletedAt),
        isNull(credentialSecrets.expiresAt),
      ),
    ),
);
/** The number of client secrets that were made in a time and still sign in. */
export function secretsMade(from: Instant, until: Instant) {
  return selectSecrets({ from, until });
}

const selectSealed = read({ id: webhookEndpoints.id, secret: webhookEndpoints.secret }, (columns) =>
  queries
    .select(columns)
    .from(webhookEndpoints)
    .where(ne(webhookEndpoints.state, 'DELETED'))
    // SQLite takes the other columns of a group from one of its rows.
    .groupBy(sql`substr(${webhookEndpoints.secret}, 1, instr(${webhookEndpoints.secret}, '.'))`),
);
/** One sealed secret for each key that has sealed some in the shard. */
export function sealedSecrets() {
  return selectSealed({});
}
