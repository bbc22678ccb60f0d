/* Examples of what the driver of the order of the other examples has collected. */

const collectedAt = '2030-01-31T10:04:51.338120Z';
const reference = 'RRN 512301847261';

export const exampleCollection = { amount: 94.5, currency: 'SAR', method: 'CARD', reference, collectedAt };

export const COD_ANSWER_EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'codCollections.get': {
    currency: 'SAR',
    expectedAmount: 94.5,
    collectedAmount: 94.5,
    method: 'CARD',
    reference,
    collectedAt,
    holder: 'DRIVER',
  },
  'codCollections.list': {
    data: [
      {
        shipmentId: '01976e2a-7c10-7f4e-8b21-6d90c3a5e842',
        shipmentNumber: 'SHP-7ZQ4N0K2RD5',
        externalReference: 'ORDER-1001',
        amount: 94.5,
        method: 'CARD',
        collectedAt,
      },
    ],
    totals: { amount: 94.5, shipments: 1 },
    page: { nextCursor: null, hasMore: false },
  },
};
