import { asked, exampleRequest, exampleWindow, OFFERED } from './amendment-examples.ts';

/* Example requests and responses of the recipient of the order of the other examples, before the parcel is collected. */

const place = { kind: 'RECEPTION', note: null };
export const exampleRefusal = {
  refusedAt: '2030-01-31T09:31:17.402918Z',
  reasonCode: 'CHANGED_MIND',
  comment: 'I found it in a shop.',
};

const wish = { reasonCode: 'WRONG_ITEM', partOfDay: 'EVENING', comment: 'The cups are blue.' };
export const exampleReturn = {
  state: 'AWAITING_MERCHANT',
  askedAt: '2030-02-02T17:40:09.118204Z',
  decideBy: '2030-02-09T17:40:09.118204Z',
  ...wish,
  items: [{ index: 0, quantity: 1 }],
};

type Examples = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const RECIPIENT_REQUEST_EXAMPLES: Examples = {
  'recipients.startSignIn': {},
  'recipients.verifySignIn': { otp: '493017' },
  'recipients.changeDelivery': {
    ...asked,
    shortAddress: 'RRRD2929',
    place: { kind: place.kind },
  },
  'recipients.refuse': { reasonCode: exampleRefusal.reasonCode, comment: exampleRefusal.comment },
  'recipients.askReturn': { ...wish, items: exampleReturn.items },
  'recipients.rejectReturn': {},
};

const { amendmentId, changes, decideBy } = exampleRequest;
const delivery = {
  version: 4,
  confirmedAt: '2030-01-31T09:10:22.775009Z',
  destination: {
    addressLine: '2929 King Fahd Road, Riyadh 12333, second gate',
    cityCode: 'RUH',
    latitude: 24.7771,
    longitude: 46.6612,
  },
  nationalAddress: { shortAddress: 'RRRD2929', status: 'VERIFIED' },
  place: null,
  instructions: 'Call from the gate.',
  window: exampleWindow,
  windowsOffered: [OFFERED],
  refusal: null,
  returnRequest: null,
  returnable: [],
  pin: null,
  awaitingMerchant: [],
  may: [
    { change: 'ADDRESS', allowed: true, until: 'DEPARTURE', code: null },
    { change: 'INSTRUCTIONS', allowed: true, until: 'END', code: null },
    { change: 'REFUSE', allowed: true, until: 'END', code: null },
  ],
};

export const RECIPIENT_ANSWER_EXAMPLES: Examples = {
  'recipients.startSignIn': {
    challengeId: '01976e2b-0c44-7e19-9a52-3f6b8d1c7e04',
    maskedDestination: '********5678',
    expiresAt: '2030-01-31T09:13:00.000000Z',
    resendAvailableAt: '2030-01-31T09:09:00.000000Z',
    attemptsRemaining: 5,
  },
  'recipients.verifySignIn': {
    recipientToken: 'rcp_1896082730551_Zk3Qm8T1v0yXc5RbHn7LwE2sUa9DfGj4PoIi6KtYxVq',
    expiresAt: '2030-01-31T09:38:50.551006Z',
  },
  'recipients.getDelivery': delivery,
  'recipients.changeDelivery': {
    delivery: { ...delivery, version: 5, place, awaitingMerchant: [{ amendmentId, changes, decideBy }] },
    applied: ['PLACE'],
    awaitingMerchant: [{ amendmentId, changes }],
  },
  'recipients.refuse': { refusedAt: exampleRefusal.refusedAt },
  'recipients.getReply': { confirmedAt: delivery.confirmedAt, refusal: exampleRefusal, returnRequest: null },
  'recipients.askReturn': exampleReturn,
  'recipients.rejectReturn': { ...exampleReturn, state: 'REJECTED' },
};
