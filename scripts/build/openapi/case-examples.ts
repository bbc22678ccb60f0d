/* Examples of a complaint about the order of the other examples. */

const caseId = '01976e2f-1c85-7b40-9d0e-7a4f63c2b815';
const shipmentId = '01976e2a-7c10-7f4e-8b21-6d90c3a5e842';
const opened = '2030-02-01T07:30:11.204918Z';
const answered = '2030-02-03T08:12:40.551020Z';
const description = 'The box is torn, and one bag is open.';
const reply = 'The picture of the pickup shows the box whole. We have told the driver.';

const head = {
  caseId,
  number: 'CAS-5HQ2M8T1WXY',
  kind: 'DAMAGED',
  state: 'OPEN',
  outcome: null,
  answerBy: '2030-02-07T15:00:00.000000Z',
  answeredAt: null,
  overdue: false,
  createdAt: opened,
};
export const exampleCase = { ...head, shipmentId, openedBy: 'MERCHANT', version: 0 };
const message = { author: 'MERCHANT', text: description, mediaAssetIds: [], createdAt: opened };
const open = { ...exampleCase, evidence: null, evidenceSha256: null, messages: [message] };
const answeredCase = {
  ...open,
  state: 'ANSWERED',
  outcome: 'EXPLAINED',
  answeredAt: answered,
  version: 1,
  evidence: {
    proofSha256: null,
    timeline: [
      {
        sequence: 1,
        type: 'shipment.created',
        state: 'PENDING_APPROVAL',
        occurredAt: '2030-01-31T08:58:20.114205Z',
        actor: 'MERCHANT',
        reasonCode: null,
      },
    ],
    positions: 2,
    cod: {
      currency: 'SAR',
      expectedAmount: 94.5,
      collectedAmount: 94.5,
      method: 'CARD',
      collectedAt: '2030-01-31T10:04:51.338120Z',
    },
  },
  evidenceSha256: '9b1f6a0c4d2e8f7a3c5b9d1e0f2a4c6b8d7e9f1a3b5c7d9e0f1a2b3c4d5e6f70',
  messages: [message, { author: 'OPERATOR', text: reply, mediaAssetIds: [], createdAt: answered }],
};
const theirs = { ...head, messages: [{ author: 'RECIPIENT', text: description, createdAt: opened }] };
const withdrawn = { state: 'CLOSED', outcome: 'WITHDRAWN' };

type Examples = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const CASE_REQUEST_EXAMPLES: Examples = {
  'cases.create': { kind: head.kind, description },
  'cases.addMessage': { text: 'Only the upper bag is open.' },
  'cases.decide': { decision: 'WITHDRAW' },
  'cases.createAsRecipient': { kind: head.kind, description },
  'cases.withdrawAsRecipient': {},
};

export const CASE_ANSWER_EXAMPLES: Examples = {
  'cases.create': open,
  'cases.list': { data: [exampleCase], page: { nextCursor: null, hasMore: false } },
  'cases.get': answeredCase,
  'cases.addMessage': {
    ...open,
    version: 1,
    messages: [
      message,
      { author: 'MERCHANT', text: 'Only the upper bag is open.', mediaAssetIds: [], createdAt: answered },
    ],
  },
  'cases.decide': { ...answeredCase, ...withdrawn, version: 2 },
  'cases.createAsRecipient': theirs,
  'cases.listAsRecipient': { data: [theirs] },
  'cases.withdrawAsRecipient': { ...theirs, ...withdrawn },
};
