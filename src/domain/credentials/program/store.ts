import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { credentialSecrets, credentials } from '../../../../db/directory/schema/credentials.ts';
import { queries, read, write } from '../../../../db/statement.ts';
import type { Instant } from '../../../core/instant.ts';
import type { Uuid } from '../../../core/uuid.ts';
import type { Position } from '../../page.ts';

/* The SQL of the credentials of operators' programs, in the directory. They belong to no company. */

const place = sql.placeholder;

const columns = {
  credentialId: credentials.id,
  clientId: credentials.clientId,
  createdAt: credentials.createdAt,
  lastUsedAt: credentials.lastUsedAt,
  secretHint: credentialSecrets.secretHint,
};
const isProgram = and(isNull(credentials.companyId), isNull(credentials.deletedAt));
const selectPage = read(columns, (selected) =>
  queries
    .select(selected)
    .from(credentials)
    .innerJoin(credentialSecrets, eq(credentialSecrets.credentialId, credentials.id))
    .where(
      and(
        isProgram,
        or(isNull(credentialSecrets.expiresAt), gt(credentialSecrets.expiresAt, place('now'))),
        sql`(${place('at')} is null or (${credentials.createdAt}, ${credentials.id}) < (${place('at')}, ${place('key')}))`,
      ),
    )
    .orderBy(desc(credentials.createdAt), desc(credentials.id))
    .limit(place('limit')),
);
export type ProgramRow = ReturnType<ReturnType<typeof selectPage>['decode']>;
/** Credentials of programs with a valid secret, newest first. There are some dozens. */
export function programPage(now: Instant, after: Position | undefined, limit: number) {
  return selectPage({ now, at: after?.createdAt ?? null, key: after?.key ?? null, limit });
}

const selectById = read({ clientId: credentials.clientId }, (selected) =>
  queries
    .select(selected)
    .from(credentials)
    .where(and(isProgram, eq(credentials.id, place('id')))),
);
/** The program with this credential, unless it is deleted. */
export function programById(id: Uuid) {
  return selectById({ id });
}

const selectByClientId = read({ id: credentials.id }, (selected) =>
  queries
    .select(selected)
    .from(credentials)
    .where(eq(credentials.clientId, place('clientId'))),
);
/** A row if the client exists or existed before. */
export function programByClientId(clientId: string) {
  return selectByClientId({ clientId });
}

const insert = write(
  queries.insert(credentials).values({
    id: place('id'),
    companyId: null,
    clientId: place('clientId'),
    scopes: 'operations',
    createdAt: place('createdAt'),
  }),
);
export interface NewProgram {
  readonly id: Uuid;
  readonly clientId: string;
  readonly createdAt: Instant;
}
/** Inserts the credential of a program. The unit is refused if the client exists or existed before. */
export function programInsert(row: NewProgram) {
  return insert({ ...row });
}
