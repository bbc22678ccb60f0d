import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { credentialSecrets, credentials } from '../../../../db/directory/schema/credentials.ts';
import { placeholder, queries, read, write } from '../../../../db/statement.ts';
import type { Instant } from '../../../core/instant.ts';
import type { Uuid } from '../../../core/uuid.ts';
import type { Position } from '../../page.ts';

/* The SQL of the credentials of operators' programs, in the directory. They belong to no company. */

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
        or(isNull(credentialSecrets.expiresAt), gt(credentialSecrets.expiresAt, placeholder('now'))),
        sql`(${placeholder('at')} is null or (${credentials.createdAt}, ${credentials.id}) < (${placeholder('at')}, ${placeholder('key')}))`,
      ),
    )
    .orderBy(desc(credentials.createdAt), desc(credentials.id))
    .limit(placeholder('limit')),
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
    .where(and(isProgram, eq(credentials.id, placeholder('id')))),
);
/** The program with this credential, unless it is deleted. */
export function programById(id: Uuid) {
  return selectById({ id });
}

const selectByClientId = read({ id: credentials.id }, (selected) =>
  queries
    .select(selected)
    .from(credentials)
    .where(eq(credentials.clientId, placeholder('clientId'))),
);
/** A row if the client exists or existed before. */
export function programByClientId(clientId: string) {
  return selectByClientId({ clientId });
}

const insert = write(
  queries.insert(credentials).values({
    id: placeholder('id'),
    companyId: null,
    clientId: placeholder('clientId'),
    scopes: 'operations',
    createdAt: placeholder('createdAt'),
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
