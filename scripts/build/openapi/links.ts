/** Where an answer leads: operations that take values of it. */
type Links = Readonly<Record<string, Link>>;
interface Link {
  readonly operationId: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const SHIPMENT = { shipmentId: '$response.body#/shipmentId' };
/** The tag of the representation that was just answered. */
const CURRENT = { 'If-Match': '$response.header.ETag' };
const LINK = { shipmentId: '$request.path.shipmentId', linkId: '$response.body#/linkId' };
const ENDPOINT = { endpointId: '$response.body#/endpointId' };

const afterShipment: Links = {
  GetShipment: link('shipments.get', 'Read the shipment.', SHIPMENT),
  CancelShipment: link('shipments.cancel', 'Cancel it while no driver has picked it up.', { ...SHIPMENT, ...CURRENT }),
  GetTimeline: link('shipments.timeline', 'List what happened to it.', SHIPMENT),
  GetCharges: link('shipments.charges', 'Read what it costs.', SHIPMENT),
  CreateTrackingLink: link('trackingLinks.create', 'Create a link for the recipient.', SHIPMENT),
};
const afterEndpoint: Links = {
  GetWebhookEndpoint: link('webhookEndpoints.get', 'Read the endpoint.', ENDPOINT),
  UpdateWebhookEndpoint: link('webhookEndpoints.update', 'Change it.', { ...ENDPOINT, ...CURRENT }),
  DeleteWebhookEndpoint: link('webhookEndpoints.delete', 'Delete it.', { ...ENDPOINT, ...CURRENT }),
  SendTestEvent: link('webhookEndpoints.sendTestEvent', 'Send it a test event.', ENDPOINT),
};
const REGISTRATION = { registrationId: '$response.body#/registrationId' };
const CHALLENGE = { challengeId: '$response.body#/challengeId' };

/** The links of successful answers, by the operation that answers. */
export const LINKS: Readonly<Record<string, Links>> = {
  'shipments.create': afterShipment,
  'shipments.get': afterShipment,
  'shipments.cancel': { GetCharges: link('shipments.charges', 'Read what the cancellation costs.', SHIPMENT) },
  'trackingLinks.create': {
    GetTrackingLink: link('trackingLinks.get', 'Read the link without its address.', LINK),
    RevokeTrackingLink: link('trackingLinks.revoke', 'Revoke it.', { ...LINK, ...CURRENT }),
  },
  'shipmentBatches.create': {
    GetBatch: link('shipmentBatches.get', 'Read its progress.', { batchId: '$response.body#/batchId' }),
    ListBatchItems: link('shipmentBatches.listItems', 'List its items.', { batchId: '$response.body#/batchId' }),
  },
  'webhookEndpoints.create': afterEndpoint,
  'webhookEndpoints.get': afterEndpoint,
  'webhookEndpoints.replay': {
    GetReplay: link('webhookEndpoints.getReplay', 'Read how far the replay has come.', {
      endpointId: '$request.path.endpointId',
      replayId: '$response.body#/replayId',
    }),
  },
  'registrations.create': {
    UploadDocument: link('registrations.uploadDocument', 'Upload a required document.', {
      ...REGISTRATION,
      documentType: '$response.body#/requiredDocuments/0/documentType',
    }),
    VerifyRegistration: link('registrations.verify', 'Complete it with the code.', REGISTRATION),
  },
  'sessions.startSignIn': { VerifySignIn: link('sessions.verifySignIn', 'Sign in with the code.', CHALLENGE) },
  'recipients.startSignIn': {
    VerifyRecipient: link('recipients.verifySignIn', 'Sign in with the code.', {
      token: '$request.path.token',
      ...CHALLENGE,
    }),
  },
  'driver.startSession': { VerifySession: link('driver.verifySession', 'Sign in with the code.', CHALLENGE) },
  'sandbox.startDriverSession': {
    VerifyDriverSession: link('sandbox.verifyDriverSession', 'Sign in with the code.', CHALLENGE),
  },
};

function link(operationId: string, description: string, parameters: Link['parameters']): Link {
  return { operationId, description, parameters };
}
