import type { Database } from '../../../../db/database.ts';
import type { Writer } from '../../../../db/writer.ts';
import { addSeconds } from '../../../core/instant.ts';
import type { Documents } from '../../../ports/documents.ts';
import { type ProvisionDependencies, provision } from '../completion.ts';
import { objectsForgotten, unlistedSince } from '../upload/store.ts';
import { draftDeletion, expiredDrafts, objectKeysOf, unprovisioned } from './store.ts';

export interface OnboardingSweepDependencies extends ProvisionDependencies {
  readonly directory: { readonly database: Database; readonly writer: Writer };
  readonly documents: Pick<Documents, 'removeAll'>;
}

/** An upload takes seconds. What is listed nowhere after an hour never will be. */
const UNLISTED_SECONDS = 3600;

/** Finishes completions that broke off, and forgets drafts past their time with their documents. */
export async function sweepRegistrations(dependencies: OnboardingSweepDependencies): Promise<void> {
  const { directory, clock, documents } = dependencies;
  const now = clock.now();
  const unlisted = unlistedSince(addSeconds(now, -UNLISTED_SECONDS));
  const left = await directory.database.readAll([unprovisioned(), expiredDrafts(now), unlisted] as const);
  if (!left.ok) return;
  const [companies, drafts, objects] = left.results;
  for (const company of companies) await provision(dependencies, company);
  await removeUnlisted(
    dependencies,
    objects.map(({ objectKey }) => objectKey),
  );
  if (drafts.length === 0) return;
  const ids = drafts.map(({ id }) => id);
  const keys = await directory.database.read(objectKeysOf(ids));
  // The documents first: a row that is gone would leave them where nobody looks.
  if (!keys.ok || !(await areRemoved(documents, keys.rows))) return;
  await directory.writer.commit({ statements: draftDeletion(ids, now) });
}

async function removeUnlisted({ directory, documents }: OnboardingSweepDependencies, keys: string[]): Promise<void> {
  if (keys.length === 0 || (await documents.removeAll(keys)) !== 'removed') return;
  await directory.writer.commit({ statements: [objectsForgotten(keys)] });
}

async function areRemoved(
  documents: Pick<Documents, 'removeAll'>,
  rows: readonly { readonly objectKey: string }[],
): Promise<boolean> {
  return rows.length === 0 || (await documents.removeAll(rows.map(({ objectKey }) => objectKey))) === 'removed';
}
