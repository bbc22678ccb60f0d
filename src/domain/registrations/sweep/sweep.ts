import type { Database } from '../../../../db/database.ts';
import type { Writer } from '../../../../db/writer.ts';
import { addSeconds } from '../../../core/instant.ts';
import type { Documents } from '../../../ports/documents.ts';
import { inRounds } from '../../delete-past.ts';
import { type ProvisionDependencies, provision } from '../completion.ts';
import { objectsForgotten, unlistedSince } from '../upload-store.ts';
import {
  draftDeletion,
  expiredDrafts,
  objectKeysOf,
  outdatedDeletion,
  outdatedDocuments,
  unprovisioned,
} from './store.ts';

export interface OnboardingSweepDependencies extends ProvisionDependencies {
  readonly directory: { readonly database: Database; readonly writer: Writer };
  readonly documents: Pick<Documents, 'removeAll'>;
}

/** An upload takes seconds. An object that is not listed after an hour never will be. */
const UNLISTED_SECONDS = 3600;

/** Each round takes at most a hundred of each kind; drafts are limited by the codes that a deployment sends. */
const ROUNDS_MAX = 10;

/**
 * Finishes interrupted completions and decisions, and deletes expired drafts with their documents and the documents of
 * registrations that were rejected some time ago.
 */
export async function sweepRegistrations(dependencies: OnboardingSweepDependencies): Promise<void> {
  const { directory, clock, documents } = dependencies;
  const unfinished = await directory.database.read(unprovisioned());
  if (!unfinished.ok) return;
  for (const company of unfinished.rows) await provision(dependencies, company);
  await inRounds(ROUNDS_MAX, async () => {
    const now = clock.now();
    const left = await directory.database.readAll([
      expiredDrafts(now),
      unlistedSince(addSeconds(now, -UNLISTED_SECONDS)),
      outdatedDocuments(now),
    ] as const);
    if (!left.ok) return 'done';
    const [drafts, objects, rejected] = left.results;
    const [ids, rejectedIds] = [drafts.map(({ id }) => id), rejected.map(({ id }) => id)];
    if (ids.length + rejectedIds.length + objects.length === 0) return 'done';
    const keys = await directory.database.read(objectKeysOf([...ids, ...rejectedIds]));
    // Documents first: without their row, they would never be found.
    if (!keys.ok || !(await areRemoved(documents, [...objects, ...keys.rows]))) return 'done';
    const statements = [
      objectsForgotten(objects.map(({ objectKey }) => objectKey)),
      ...draftDeletion(ids, now),
      ...outdatedDeletion(rejectedIds, now),
    ];
    return (await directory.writer.commit({ statements })).status === 'committed' ? 'more' : 'done';
  });
}

async function areRemoved(
  documents: Pick<Documents, 'removeAll'>,
  rows: readonly { readonly objectKey: string }[],
): Promise<boolean> {
  return rows.length === 0 || (await documents.removeAll(rows.map(({ objectKey }) => objectKey))) === 'removed';
}
