import type { Documents } from '../../ports/documents.ts';

/** A deployment without storage: it serves everything but uploads. */
export const noDocuments: Documents = {
  provider: 'none',
  put: () => Promise.resolve('unavailable'),
  removeAll: () => Promise.resolve('unavailable'),
};
