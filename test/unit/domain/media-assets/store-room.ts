import type { Database } from '../../../../db/database.ts';
import type { CommitOutcome } from '../../../../db/writer.ts';
import { sweepMedia } from '../../../../src/domain/media-assets/sweep/sweep.ts';
import { type MediaUpload, uploadMedia } from '../../../../src/domain/media-assets/upload.ts';
import type { Documents } from '../../../../src/ports/documents.ts';
import type { TestShard } from '../../../support/dispatch/shard.ts';
import { JPEG } from '../../../support/files.ts';

/* A shard on a real server, with a simulated object store. */

export interface StoreRoom {
  /** Keys of the stored objects. */
  readonly kept: Set<string>;
  /** Runs while an object is being stored, and decides the outcome. */
  onPut: () => Promise<'stored' | 'unavailable'>;
  onRemove: () => 'removed' | 'unavailable';
  /** Runs between the read and the deletion of a sweep. */
  afterRead: () => Promise<unknown>;
  /** Sees the outcome of each commit of an upload, and may change the outcome that the upload gets. */
  afterCommit: (outcome: CommitOutcome, index: number) => CommitOutcome;
}

export function openStoreRoom(shard: TestShard) {
  const room: StoreRoom = {
    kept: new Set(),
    onPut: () => Promise.resolve('stored'),
    onRemove: () => 'removed',
    afterRead: () => Promise.resolve(),
    afterCommit: (outcome) => outcome,
  };
  const documents: Pick<Documents, 'put' | 'removeAll'> = {
    async put(key) {
      const end = await room.onPut();
      if (end === 'stored') room.kept.add(key);
      return end;
    },
    removeAll(keys) {
      const end = room.onRemove();
      if (end === 'removed') for (const key of keys) room.kept.delete(key);
      return Promise.resolve(end);
    },
  };
  const process = shard.process();
  const database: Database = {
    ...process.database,
    read: async (statement) => {
      const answer = await process.database.read(statement);
      await room.afterRead();
      return answer;
    },
  };
  const upload = (externalReference: string, changes: Partial<MediaUpload> = {}) => {
    let commits = 0;
    const commit: typeof process.writer.commit = async (request) => {
      const outcome = await process.writer.commit(request);
      commits += 1;
      return room.afterCommit(outcome, commits);
    };
    const order = { externalReference, sortOrder: 0, contentType: 'image/jpeg', bytes: JPEG, ...changes } as const;
    return uploadMedia({ ...process, writer: { commit }, documents }, shard.scope, order);
  };
  return {
    room,
    process,
    upload,
    sweep: () => sweepMedia({ ...process, database, documents }),
    /** The number of references with a list. */
    lists: async () => (await shard.rows('select count(*) from media_lists')).flat()[0],
    states: async () => (await shard.rows('select state from media_assets order by id')).flat(),
  };
}

export const DAY_SECONDS = 24 * 3600;
