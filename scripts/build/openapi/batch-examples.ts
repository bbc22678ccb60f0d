/* Answers about batches of shipments. */

const batchId = '01976e2d-5c20-7a61-9b38-c40f2d7e1a55';
const counts = { total: 2, created: 0, replayed: 0, refused: 0, skipped: 0, pending: 0, valid: 0 };
export const endedBatch = {
  batchId,
  mode: 'CREATE',
  state: 'COMPLETED',
  counts: { ...counts, created: 1, replayed: 1 },
  createdAt: '2030-01-30T15:19:02.551006Z',
  completedAt: '2030-01-30T15:19:03.104377Z',
};

export const batchExamples = {
  'shipmentBatches.create': { batchId, state: 'RUNNING', counts: { ...counts, pending: 2 } },
  'shipmentBatches.get': endedBatch,
  'shipmentBatches.listItems': {
    data: [
      {
        index: 0,
        key: 'order-1001-creation',
        state: 'CREATED',
        shipmentId: '01976e2a-7c10-7f4e-8b21-6d90c3a5e842',
        problem: null,
      },
    ],
    page: { nextCursor: null, hasMore: false },
  },
};
