import { eq } from 'drizzle-orm';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { companyMembers, people, signInIdentifiers } from '../../db/directory/schema/people.ts';
import type { Uuid } from '../../src/core/uuid.ts';
import type { SampleCompany } from './sample-companies.ts';
import { newId, now } from './seed-values.ts';

/** An owner of a sample company, where it has nobody yet. He signs in by address or mobile, like everybody. */
export async function seedOwner(
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
