import type { Database } from '../../../../db/database.ts';
import type { Writer } from '../../../runtime/coordination/ports.ts';
import { type ProvisionDependencies, provision } from '../completion.ts';
import { draftDeletion, expiredDrafts, objectKeysOf, unprovisioned } from './store.ts';

export interface OnboardingSweepDependencies extends ProvisionDependencies {
  readonly directory: { readonly database: Database; readonly writer: Writer };
  /** Removes documents from the object store; false when it could not. */
  readonly removeDocuments: (objectKeys: readonly string[]) => Promise<boolean>;
}

/** Finishes completions that broke off, and forgets drafts past their time with their documents. */
export async function sweepRegistrations(dependencies: OnboardingSweepDependencies): Promise<void> {
  const { directory, clock, removeDocuments } = dependencies;
  const now = clock.now();
  const left = await directory.database.readAll([unprovisioned(), expiredDrafts(now)] as const);
  if (!left.ok) return;
  const [companies, drafts] = left.results;
  for (const company of companies) await provision(dependencies, company);
  if (drafts.length === 0) return;
  const ids = drafts.map(({ id }) => id);
  const keys = await directory.database.read(objectKeysOf(ids));
  // The documents first: a row that is gone would leave them where nobody looks.
  if (!keys.ok || !(await removeDocuments(keys.rows.map(({ objectKey }) => objectKey)))) return;
  await directory.writer.commit({ statements: draftDeletion(ids, now) });
}
