import { EVENT_TYPES, type EventType } from '../../../src/contract/event-type.ts';
import type { ShipmentState } from '../../../src/contract/shipment-state.ts';
import { EDGES } from '../../../src/domain/shipments/lifecycle.ts';
import { siteText, wordOf } from '../../../src/pages/text.ts';
import { readText } from '../../shared/repository-file.ts';
import { exampleAddress } from './address-examples.ts';
import { exampleAmendment, exampleDecision, exampleRequest, exampleWindow } from './amendment-examples.ts';
import { created, createdEvent } from './answer-examples.ts';
import { endedBatch } from './batch-examples.ts';
import { exampleCase } from './case-examples.ts';
import { exampleCollection } from './cod-examples.ts';
import { exampleRefusal, exampleReturn } from './recipient-examples.ts';
import { exampleChoice, exampleOptions } from './resolution-examples.ts';
import {
  isReference,
  type Operation,
  type Parameter,
  type Paths,
  type Reference,
  referTo,
  type Schema,
} from './shapes.ts';
import { exampleLink, exampleRating } from './tracking-examples.ts';
import { exampleEndpoint } from './webhook-examples.ts';

/* The requests that the service sends: one for each event type, with a schema of its own. */

const GUIDE = siteText({ readText, locale: 'en' }, 'guides/receiving-webhooks');

function meaningOf(type: EventType): string {
  return wordOf(GUIDE, type);
}

const ONLY_IN_REAL_EVENTS = 'Absent only in a test event.';
const METADATA = {
  ...referTo('schemas', 'Metadata'),
  description: 'The metadata of the shipment. Absent if it has none, and in a test event.',
};
const SANDBOX_CLOCK = {
  ...referTo('schemas', 'EventDataSandboxClock'),
  description: 'Only in a sandbox whose clock is ahead of the real time.',
};
const TAKEN_AT: Schema = {
  type: ['string', 'null'],
  format: 'date-time',
  description:
    'When the driver took the action, by the phone. Null if that cannot be believed. Absent if no driver did it, or the client did not say.',
};
const SHIPMENT = { ...referTo('schemas', 'Shipment'), description: 'The shipment right after the event.' };

/** What `data` has, by schema. A test event has a sample shipment and nothing else, so only that is required. */
const DATA_SCHEMAS: Readonly<Record<string, Schema>> = {
  ShipmentEventData: dataOf({ shipment: SHIPMENT, takenAt: TAKEN_AT, metadata: METADATA }),
  ShipmentReasonEventData: dataOf({
    shipment: SHIPMENT,
    reason: {
      ...referTo('schemas', 'ShipmentEventReason'),
      description: 'Why it happened. Absent in a test event, and if nobody gave a reason.',
    },
    takenAt: TAKEN_AT,
    metadata: METADATA,
  }),
  ShipmentAmendmentEventData: dataOf({
    shipment: SHIPMENT,
    amendment: {
      ...referTo('schemas', 'EventDataAmendment'),
      description: `What was amended. ${ONLY_IN_REAL_EVENTS}`,
    },
    metadata: METADATA,
  }),
  DeliveryWindowEventData: dataOf({
    shipment: SHIPMENT,
    deliveryWindow: {
      ...referTo('schemas', 'DeliveryWindow'),
      description: `The window, which is AGREED. ${ONLY_IN_REAL_EVENTS}`,
    },
    metadata: METADATA,
  }),
  TrackingLinkEventData: dataOf({
    shipment: SHIPMENT,
    trackingLink: { ...referTo('schemas', 'TrackingLink'), description: `The link. ${ONLY_IN_REAL_EVENTS}` },
    metadata: METADATA,
  }),
  ShipmentRatingEventData: dataOf({
    shipment: SHIPMENT,
    rating: { ...referTo('schemas', 'Rating'), description: `The rating. ${ONLY_IN_REAL_EVENTS}` },
    metadata: METADATA,
  }),
  RecipientRefusalEventData: dataOf({
    shipment: SHIPMENT,
    refusal: {
      ...referTo('schemas', 'RecipientRefusal'),
      description: `What the recipient said. ${ONLY_IN_REAL_EVENTS}`,
    },
    metadata: METADATA,
  }),
  ReturnRequestEventData: dataOf({
    shipment: SHIPMENT,
    returnRequest: {
      ...referTo('schemas', 'RecipientReturn'),
      description: `What the recipient asks for. ${ONLY_IN_REAL_EVENTS}`,
    },
    metadata: METADATA,
  }),
  NationalAddressEventData: dataOf({
    shipment: SHIPMENT,
    nationalAddress: {
      ...referTo('schemas', 'NationalAddress'),
      description: `The address with what the registry answered. ${ONLY_IN_REAL_EVENTS}`,
    },
    metadata: METADATA,
  }),
  DeliveryFailedEventData: dataOf({
    shipment: SHIPMENT,
    reason: {
      ...referTo('schemas', 'ShipmentEventReason'),
      description: 'Why it failed. Absent in a test event.',
    },
    resolution: {
      ...referTo('schemas', 'OpenedResolution'),
      description:
        'What can become of the parcel, and until when. Absent if it is lost or was recalled, and in a test event.',
    },
    metadata: METADATA,
  }),
  ResolutionEventData: dataOf({
    shipment: SHIPMENT,
    resolution: { ...referTo('schemas', 'ChosenResolution'), description: `What was decided. ${ONLY_IN_REAL_EVENTS}` },
    metadata: METADATA,
  }),
  OpenedResolution: {
    type: 'object',
    description: 'What can become of a parcel whose delivery failed.',
    properties: {
      decideBy: { type: 'string', format: 'date-time', description: 'When the service takes the default.' },
      default: { ...referTo('schemas', 'ResolutionKind'), description: 'What is taken if nobody decides.' },
      options: {
        type: 'array',
        items: referTo('schemas', 'ResolutionOption'),
        description: 'What can be chosen, with payer and price.',
      },
    },
    required: ['decideBy', 'default', 'options'],
  },
  ChosenResolution: {
    type: 'object',
    description: 'What was decided about a parcel whose delivery failed.',
    properties: {
      state: { ...referTo('schemas', 'ResolutionState'), description: 'AUTOMATIC: nobody decided in time.' },
      kind: { ...referTo('schemas', 'ResolutionKind'), description: 'What was decided.' },
      by: { ...referTo('schemas', 'Actor'), description: 'Who decided.' },
      payer: { ...referTo('schemas', 'FailurePayer'), description: 'Who pays for it.' },
      price: { ...referTo('schemas', 'PriceWithVat'), description: 'What the merchant pays for it.' },
      followUpShipmentId: {
        type: ['string', 'null'],
        format: 'uuid',
        description: 'The shipment that carries the parcel on; null if it is disposed of.',
      },
    },
    required: ['state', 'kind', 'by', 'payer', 'price', 'followUpShipmentId'],
  },
  CodCollectionEventData: dataOf({
    shipment: SHIPMENT,
    collection: {
      ...referTo('schemas', 'EventDataCollection'),
      description: `What the driver has collected. ${ONLY_IN_REAL_EVENTS}`,
    },
    metadata: METADATA,
  }),
  CaseEventData: dataOf({
    shipment: SHIPMENT,
    case: { ...referTo('schemas', 'CaseSummary'), description: `The complaint. ${ONLY_IN_REAL_EVENTS}` },
    metadata: METADATA,
  }),
  WebhookEndpointEventData: {
    type: 'object',
    description: 'What an event of an endpoint is about.',
    properties: {
      webhookEndpoint: {
        ...referTo('schemas', 'WebhookEndpoint'),
        description: `The endpoint. ${ONLY_IN_REAL_EVENTS}`,
      },
      reason: {
        ...referTo('schemas', 'EndpointDisabledReason'),
        description: `Why it was disabled. ${ONLY_IN_REAL_EVENTS}`,
      },
      sandboxClock: SANDBOX_CLOCK,
    },
  },
  ShipmentBatchEventData: {
    type: 'object',
    description: 'What an event of a batch is about.',
    properties: {
      shipmentBatch: {
        ...referTo('schemas', 'ShipmentBatch'),
        description: `The batch at its end. ${ONLY_IN_REAL_EVENTS}`,
      },
      sandboxClock: SANDBOX_CLOCK,
    },
  },
};

/** Event types whose `data` has more than the shipment. */
const DATA_OF: Readonly<Partial<Record<EventType, string>>> = {
  'shipment.offer_declined': 'ShipmentReasonEventData',
  'shipment.driver_released': 'ShipmentReasonEventData',
  'shipment.driver_changed': 'ShipmentReasonEventData',
  'shipment.dispatch_unresolved': 'ShipmentReasonEventData',
  'shipment.delivery_failed': 'DeliveryFailedEventData',
  'shipment.cancelled': 'ShipmentReasonEventData',
  'shipment.amended': 'ShipmentAmendmentEventData',
  'shipment.amendment_requested': 'ShipmentAmendmentEventData',
  'shipment.amendment_decided': 'ShipmentAmendmentEventData',
  'delivery_window.agreed': 'DeliveryWindowEventData',
  'shipment.rated': 'ShipmentRatingEventData',
  'recipient.refused': 'RecipientRefusalEventData',
  'return.requested': 'ReturnRequestEventData',
  'national_address.checked': 'NationalAddressEventData',
  'cod.collected': 'CodCollectionEventData',
  'resolution.chosen': 'ResolutionEventData',
  'case.opened': 'CaseEventData',
  'case.answered': 'CaseEventData',
  'case.closed': 'CaseEventData',
  'tracking_link.created': 'TrackingLinkEventData',
  'tracking_link.revoked': 'TrackingLinkEventData',
  'webhook_endpoint.disabled': 'WebhookEndpointEventData',
  'shipment_batch.completed': 'ShipmentBatchEventData',
};

const HEADER_EXAMPLES: Readonly<Record<string, string>> = {
  'mirsal-webhook-endpoint': '01976e2d-4b10-7c63-9e52-a17f0d8c3b64',
  'webhook-id': '01976e2a-7c15-7b08-9d3e-41f2c6a8e570',
  'webhook-timestamp': '1895930647',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
/** Headers of every delivery: those of Standard Webhooks 1.0.0, and the endpoint. */
export const WEBHOOK_PARAMETERS: Readonly<Record<string, Parameter>> = {
  'mirsal-webhook-endpoint': header(
    'mirsal-webhook-endpoint',
    'The endpoint that the request is for. It tells a receiver of several endpoints which secret to use. It is not signed.',
    { type: 'string', format: 'uuid' },
  ),
  'webhook-id': header('webhook-id', 'The id of the event, the same in every attempt. Skip repeats by it.', {
    type: 'string',
    format: 'uuid',
  }),
  'webhook-timestamp': header('webhook-timestamp', 'When the attempt was made, in seconds since 1970.', {
    type: 'string',
    pattern: '^[0-9]+$',
  }),
  'webhook-signature': header(
    'webhook-signature',
    'HMAC-SHA256 over `webhook-id.webhook-timestamp.body`: one or more of `v1,` and base64, separated by spaces.',
    { type: 'string' },
  ),
};

const REASON = { code: 'OTHER', comment: null };
/** What the example of `data` has besides the shipment, by schema. */
const DATA_EXAMPLES: Readonly<Record<string, object>> = {
  ShipmentReasonEventData: { reason: REASON },
  NationalAddressEventData: { nationalAddress: exampleAddress },
  ShipmentAmendmentEventData: { amendment: exampleAmendment },
  DeliveryWindowEventData: { deliveryWindow: exampleWindow },
  RecipientRefusalEventData: { refusal: exampleRefusal },
  ReturnRequestEventData: { returnRequest: exampleReturn },
  DeliveryFailedEventData: { reason: REASON, resolution: exampleOptions },
  ResolutionEventData: { resolution: exampleChoice },
  CodCollectionEventData: { collection: exampleCollection },
  CaseEventData: { case: exampleCase },
  ShipmentRatingEventData: { rating: exampleRating },
  TrackingLinkEventData: { trackingLink: exampleLink },
};

/** What a recipient asks for, and what the company decides. */
const REQUESTS: Readonly<Partial<Record<EventType, object>>> = {
  'shipment.amendment_requested': { amendment: exampleRequest },
  'shipment.amendment_decided': { amendment: exampleDecision },
};

const DISABLED = {
  webhookEndpoint: { ...exampleEndpoint, state: 'AUTO_DISABLED', consecutiveFailures: 20 },
  reason: 'FAILING',
};

/** Of events that change no state. */
const STATES_OF: Readonly<Partial<Record<EventType, ShipmentState>>> = {
  'delivery_window.agreed': 'ACCEPTED',
  'shipment.rated': 'DELIVERED',
  'cod.collected': 'DELIVERED',
  'resolution.chosen': 'DELIVERY_FAILED',
};

/** The `webhooks` of the document, by event type. */
export const WEBHOOKS: Paths = Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: deliveryOf(type) }]));

/** The schemas of the events, each with the members of `Event` and its own `type` and `data`. */
export function webhookSchemas(event: Schema | Reference | undefined): Record<string, Schema> {
  if (event === undefined || isReference(event)) throw new Error('The document has no schema of events');
  const events = EVENT_TYPES.map((type) => {
    const properties = {
      ...event.properties,
      type: { type: 'string' as const, const: type, description: 'What happened.' },
      data: { ...referTo('schemas', dataName(type)), description: 'What the event is about.' },
    };
    return [schemaName(type), { ...event, description: `${meaningOf(type)}.`, properties }];
  });
  return { ...DATA_SCHEMAS, ...Object.fromEntries(events) };
}

function deliveryOf(type: EventType): Operation {
  return {
    operationId: `webhooks.${type}`,
    tags: ['Webhooks'],
    summary: meaningOf(type),
    description: `\`${type}\`: sent to every endpoint that subscribes to it. Check the signature first, then answer 2xx before any work.`,
    security: [],
    parameters: Object.keys(WEBHOOK_PARAMETERS).map((name) => referTo('parameters', name)),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: referTo('schemas', schemaName(type)), example: exampleOf(type) } },
    },
    responses: {
      '2XX': { description: 'The event has arrived. The body is ignored.' },
      410: { description: 'The endpoint is gone: the service disables it.' },
      429: { description: 'Too busy: the endpoint is paused, as Retry-After says. So do 502, 503 and 504.' },
      default: { description: 'Any other answer is a failure, and the event is sent again later.' },
    },
  };
}

/** `shipment.driver_released` is a `ShipmentDriverReleasedEvent`. */
function schemaName(type: EventType): string {
  return `${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;
}

function dataName(type: EventType): string {
  return DATA_OF[type] ?? 'ShipmentEventData';
}

function dataOf(properties: Readonly<Record<string, Schema | Reference>>): Schema {
  return {
    type: 'object',
    description: 'What the event is about.',
    properties: { ...properties, sandboxClock: SANDBOX_CLOCK },
    required: ['shipment'],
  };
}

function header(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'header', required: true, description, schema, example: HEADER_EXAMPLES[name] };
}

function exampleOf(type: EventType): Readonly<Record<string, unknown>> {
  if (type === 'shipment.created') return createdEvent;
  const edge = EDGES.find(({ event }) => event === type);
  const event = { ...createdEvent, type, previousState: edge?.from ?? null };
  const ofNoShipment = { ...event, shipmentId: null, sequence: 0 };
  if (type === 'webhook_endpoint.disabled') return { ...ofNoShipment, data: DISABLED };
  if (type === 'shipment_batch.completed') return { ...ofNoShipment, data: { shipmentBatch: endedBatch } };
  const state = STATES_OF[type] ?? edge?.to;
  const shipment = { ...created, ...(state === undefined ? {} : { state }) };
  const test = type === 'webhook.test' ? { test: true } : {};
  const others = REQUESTS[type] ?? DATA_EXAMPLES[dataName(type)];
  return { ...event, ...test, data: { shipment, ...others } };
}
