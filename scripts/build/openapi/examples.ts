import { SAMPLE_COMPANIES } from '../../shared/sample-companies.ts';
import { CASE_REQUEST_EXAMPLES } from './case-examples.ts';
import { PEOPLE_REQUEST_EXAMPLES } from './people-examples.ts';
import { RECIPIENT_REQUEST_EXAMPLES } from './recipient-examples.ts';
import { RESOLUTION_REQUEST_EXAMPLES } from './resolution-examples.ts';
import { WEBHOOK_REQUEST_EXAMPLES } from './webhook-examples.ts';

const [company] = SAMPLE_COMPANIES;
if (company === undefined) throw new Error('There is no sample company to make examples of');

const creation = {
  externalReference: 'ORDER-1001',
  branchCode: company.branch.branchCode,
  pickupLocationCode: company.pickupLocation.pickupLocationCode,
  recipient: { name: 'Sara Al-Harbi', phone: '+966512345678' },
  destination: {
    addressLine: '2929 King Fahd Road, Riyadh 12333',
    cityCode: company.branch.cityCode,
    latitude: 24.7743,
    longitude: 46.6572,
  },
  declaredValue: 180,
  codAmount: 94.5,
  currency: 'SAR',
  paymentMethod: 'COD',
  pickupWindowStart: '2030-01-31T09:00:00Z',
  pickupWindowEnd: '2030-01-31T12:00:00Z',
  items: [{ description: 'Coffee beans, 1 kg', quantity: 2, weightKilograms: 1.05 }],
  requirements: [],
};

const amendment = {
  location: { latitude: 24.7771, longitude: 46.6612 },
  addressLine: '2929 King Fahd Road, Riyadh 12333, second gate',
  shortAddress: 'RRRD2929',
  instructions: 'Call from the gate.',
  reasonCode: 'RECIPIENT_ASKED',
};

/**
 * Request bodies by the operation's name. They can be sent unchanged to a service with the sample companies, except for
 * phones and one-time codes.
 */
export const REQUEST_EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ...WEBHOOK_REQUEST_EXAMPLES,
  'shipments.create': creation,
  'shipmentValidations.create': creation,
  'shipmentBatches.create': {
    mode: 'CREATE',
    onInvalid: 'SKIP',
    items: [{ key: 'order-1001-creation', shipment: creation }],
  },
  'nationalAddresses.replace': { shortAddress: 'RRRD2929' },
  'shipmentMetadata.replace': { metadata: { channel: 'web', salesOrder: '4711' } },
  'shipmentAmendments.preview': amendment,
  'shipmentAmendments.create': amendment,
  'shipmentAmendments.decide': { decision: 'ACCEPT' },
  'shipments.cancel': { reasonCode: 'DUPLICATE', comment: 'Ordered twice.' },
  'trackingLinks.create': {
    expiresInSeconds: 604800,
    locale: 'ar',
    label: 'Sent by SMS',
    permissions: ['ADDRESS', 'INSTRUCTIONS', 'REFUSE'],
  },
  ...RECIPIENT_REQUEST_EXAMPLES,
  ...CASE_REQUEST_EXAMPLES,
  'priceEstimates.create': {
    pickup: { latitude: 24.711667, longitude: 46.674167 },
    delivery: { latitude: 24.794722, longitude: 46.626111 },
    destinationCityCode: 'RUH',
  },
  'priceLocks.create': {
    pickupLocationCode: company.pickupLocation.pickupLocationCode,
    destination: { cityCode: company.branch.cityCode, latitude: 24.7743, longitude: 46.6572 },
    codAmount: 94.5,
    expiresInSeconds: 900,
  },
  'nationalAddresses.lookUp': { shortAddress: 'RRRD2929' },
  'nationalAddresses.suggest': {
    text: 'Olaya Street',
    near: { latitude: 24.711667, longitude: 46.674167 },
    locale: 'en',
  },
  'driver.startSession': { phone: '0512345678' },
  'driver.verifySession': { otp: '493017' },
  'driver.setDuty': { onDuty: true },
  'proofs.resendPin': {},
  'driver.reportPosition': {
    latitude: 24.694969,
    longitude: 46.68301,
    recordedAt: '2026-01-31T09:38:00Z',
    accuracyMeters: 12.5,
  },
  ...RESOLUTION_REQUEST_EXAMPLES,
  'driver.act': {
    action: 'DEPART',
    position: { latitude: 24.694969, longitude: 46.68301, recordedAt: '2026-01-31T09:40:00Z', accuracyMeters: 12.5 },
  },
  'sandbox.setDispatchHold': { held: true },
  'sandbox.setDispatchSettings': { leadSeconds: 3600 },
  'sandbox.advanceClock': { seconds: 3600 },
  'sandbox.startDriverSession': { phone: '0512345678' },
  'sandbox.verifyDriverSession': { otp: '493017' },
  'sandbox.startScenario': { name: 'HAPPY_PATH', stepSeconds: 5 },
  'sandbox.setFault': { target: 'ROUTING', count: 3 },
  ...PEOPLE_REQUEST_EXAMPLES,
};

/** Values of parameters that are valid in every service. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, unknown>> = {
  'Idempotency-Key': 'order-1001-creation',
  from: '2026-10-31T21:00:00Z',
  to: '2026-11-30T21:00:00Z',
  'If-Match': '"1"',
  elevationId: '01976e2b-8a02-7b44-90f7-d3c16e5a2b98',
  registrationId: '01976e2c-1a44-7b0e-8f31-52d6c0a9e7b4',
  'If-None-Match': '"k2J8v0p1QmZ7Yw3rTn5XcA"',
  batchId: '01976e2d-5c20-7a61-9b38-c40f2d7e1a55',
  Prefer: 'wait=10',
  linkId: '01976e2b-3a90-7d15-8c44-5e1f7a902b63',
  token: 'shard-1_0h5q7c4m2x9vt8ekdw3zrnjby6p1sgaf',
  challengeId: '01976e2b-0c44-7e19-9a52-3f6b8d1c7e04',
  shipmentId: '01976e2a-7c10-7f4e-8b21-6d90c3a5e842',
  mediaAssetId: '01976e29-e4b0-7d58-a1c6-3f92b07d5e14',
  amendmentId: '01976e2f-0d18-7c46-9e57-b3a0f2c4d685',
};

/** The meaning of a parameter by its name, or by operation and name if it means something else in one operation. */
export const PARAMETER_TEXTS: Readonly<Record<string, string>> = {
  after:
    'The id of the last event that the caller has seen, or `latest`: then the first page is empty and its cursor continues with ' +
    'the events from now on.',
  from: 'Only events at this instant or later. Not together with `after`.',
  'Idempotency-Key':
    'One key for each request that does something, chosen by the caller and repeated on every retry. The same key with the ' +
    'same request is answered with the first answer. Kept for 24 hours.',
  'shipments.create Idempotency-Key':
    'One key for each creation, chosen by the caller and repeated on every retry. The same key with the same body is ' +
    'answered with 200 and the first answer. Kept for 7 days.',
  'registrations.create Idempotency-Key':
    'One key for each registration, chosen by the caller and repeated on every retry. The same key with the same body is ' +
    'answered with the first answer while its uploadCapability is valid. Another body is another registration.',
  'If-Match': 'The ETag of the latest representation, quotation marks included, or *.',
  'If-None-Match': 'The ETag of an earlier answer: 304 when it would be the same again.',
  amendmentId: 'From the list of amendments, or from the event that asks for the decision.',
  challengeId: 'From the answer to the request for the code.',
  elevationId: 'From the answer to the request for the elevation.',
  registrationId: 'From the answer to the registration.',
  endpointId: 'From the answer that made the endpoint.',
  deliveryId: 'From the list of deliveries.',
  replayId: 'From the answer that began the replay.',
  documentType: 'One of requiredDocuments of the registration.',
  'X-Document-Filename': 'The name of the file, plain or percent-encoded. It is shown to people, never used as a path.',
  branchCode: 'Only what belongs to this branch.',
  cursor: 'page.nextCursor of the previous answer, with the same filters. To change a filter, start anew without it.',
  externalReference: "Only the shipment with this identifier of the merchant's own.",
  'mediaAssets.list externalReference': 'Only pictures for the shipment with this identifier.',
  mediaAssetId: 'From the answer to the upload, or from the list.',
  'mediaAssets.create externalReference': "The merchant's own identifier that the shipment will be created with.",
  'proofs.upload shipmentId': 'From the list of the driver’s shipments.',
  'proofs.print lang': 'The language of the page, whatever Accept-Language says.',
  'proofs.readMedia mediaAssetId': 'From the record.',
  purpose: 'What the picture shows.',
  sortOrder: 'Where the picture stands among those of the shipment. Of two alike the earlier one comes first.',
  lang: 'The language of the labels, whatever the link and Accept-Language say.',
  limit: 'Entries on a page. A value out of range is refused, never clamped.',
  state: 'Only shipments in these states, separated by commas.',
  createdFrom: 'Only shipments created at this instant or later.',
  createdTo: 'Only shipments created before this instant.',
  cityCode: 'Only shipments whose destination is in this city.',
  paymentMethod: 'Only shipments that are paid for in this way.',
  address: '`blocked`: only shipments that no driver gets because of their National Address.',
  kind: 'Only shipments of their own (`FORWARD`), or those that carry the parcel of an earlier one.',
  metadata: 'Only shipments with this entry of metadata, as `key:value`. `metadata[key]=value` means the same.',
  q:
    'Only shipments that this text finds. It can be the beginning of an externalReference, in capitals or small letters, ' +
    'or of a shipmentNumber. Three digits, or five and more, can also stand in an externalReference behind a letter or a separator, ' +
    'if there are not too many shipments between createdFrom and createdTo. Four digits can also be the end of an externalReference or of the recipient’s phone, and of a ' +
    'whole Saudi mobile number the last four digits are compared. A text without digits can also be words of the ' +
    'recipient’s name, or their beginnings, at most five.',
  status: 'Only what has this status.',
  type: 'Only events of this kind.',
  token: 'The last segment of a link’s url.',
  shipmentId: 'From the answer to the creation, or from the list.',
  shipmentIds: 'The shipments to print, separated by commas, each once.',
  labels: '`shipment` for one label, `item` for one for each piece. One label by default.',
  batchId: 'From the answer that started the batch.',
  linkId: 'From the answer that made the link, or from the list.',
  Prefer: '`wait=N` waits up to N seconds for the end. Other preferences are ignored.',
  eventType: 'Only deliveries of events of this kind.',
  number: 'The number of the attempt, from 1.',
  method: 'Only requests with this method.',
  operation: 'Only requests of this operation, such as `shipments.create`.',
  source: 'Only requests of programs (`API`) or of people in the console (`CONSOLE`).',
  requestId: 'From the header X-Request-Id of the answer.',
  correlationId: 'Only requests with this X-Correlation-Id.',
  'requestLog.list from': 'Only requests at this instant or later.',
  'requestLog.list to': 'Only requests before this instant.',
  'codCollections.list from': 'Only what was collected at this instant or later.',
  month: 'The month in Riyadh time, such as 2026-11. Not one that has not begun.',
  caseId: 'The complaint.',
  'cases.list state': 'Only complaints in this state.',
  'cases.list kind': 'Only complaints about this.',
  'cases.list shipmentId': 'Only complaints about this shipment.',
  'cases.list from': 'Only complaints that were opened at this instant or later.',
  'cases.list to': 'Only complaints that were opened before this instant.',
  'codCollections.list to': 'Only what was collected before this instant, at most 31 days after `from`.',
};
