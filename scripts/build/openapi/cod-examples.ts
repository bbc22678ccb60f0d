/* Examples of what the driver of the order of the other examples has collected, and of the statement of its month. */

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
  'statements.get': {
    month: '2030-01',
    currency: 'SAR',
    timeZone: 'Asia/Riyadh',
    company: { name: 'Najd Coffee Roasters', vatNumber: '310122393500003' },
    totals: { netAmount: 25.5, vatAmount: 3.83, totalAmount: 29.33, shipments: 1 },
    cod: { amount: 94.5, shipments: 1 },
    data: [
      statementLine('BASE', 10, 1.5, 11.5),
      statementLine('DISTANCE', 10.5, 1.58, 12.08),
      statementLine('CITY', 5, 0.75, 5.75),
    ],
    page: { nextCursor: null, hasMore: false },
  },
};

function statementLine(code: string, netAmount: number, vatAmount: number, totalAmount: number) {
  return {
    shipmentId: '01976e2a-7c10-7f4e-8b21-6d90c3a5e842',
    shipmentNumber: 'SHP-7ZQ4N0K2RD5',
    externalReference: 'ORDER-1001',
    code,
    createdAt: '2030-01-31T08:12:40.127004Z',
    netAmount,
    vatRate: 0.15,
    vatAmount,
    totalAmount,
  };
}
