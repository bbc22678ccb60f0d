import { AMENDERS } from '../../../src/contract/amendment-event.ts';
import {
  AMENDMENT_CHANGES,
  AMENDMENT_OBJECTIONS,
  AMENDMENT_REASONS,
  AMENDMENT_STATES,
  PLACE_KINDS,
} from '../../../src/contract/amendment-state.ts';
import { CANCELLATION_RULES, PAYERS } from '../../../src/contract/cancellation.ts';
import { DISPATCH_OBSTACLES } from '../../../src/contract/dispatch.ts';
import { DRIVER_ACTIONS, FAULT_TARGETS, SCENARIOS, VEHICLE_TYPES } from '../../../src/contract/driver-state.ts';
import {
  ATTEMPT_ERRORS,
  DELIVERY_STATUSES,
  ENDPOINT_STATES,
  EVENT_TYPES,
  REPLAY_STATES,
  SHIPMENT_EVENT_TYPES,
  TIMELINE_TYPES,
} from '../../../src/contract/event-type.ts';
import { MEDIA_CONTENT_TYPES } from '../../../src/contract/media-asset-state.ts';
import { MESSAGE_CHANNELS } from '../../../src/contract/message.ts';
import { CONFIDENCES } from '../../../src/contract/national-address.ts';
import { ASSURANCE_LEVELS, SESSION_ROLES } from '../../../src/contract/person-role.ts';
import { CHARGE_CODES, PRICE_CODES } from '../../../src/contract/price-estimate.ts';
import {
  DOCUMENT_CONTENT_TYPES,
  DOCUMENT_TYPES,
  LEGAL_BASES,
  REGISTRATION_STATES,
} from '../../../src/contract/registration-state.ts';
import { REQUEST_METHODS, REQUEST_SOURCES } from '../../../src/contract/request-log-state.ts';
import { CLOCK_ENTRIES, CLOCK_STATES, PREREQUISITES } from '../../../src/contract/sandbox.ts';
import { COMPANY_SCOPES } from '../../../src/contract/scope.ts';
import {
  ACTORS,
  BATCH_ITEM_STATES,
  BATCH_MODES,
  BATCH_STATES,
  CANCELLATION_REASONS,
  DISPATCH_PHASES,
  FAILURE_REASONS,
  ON_INVALID,
  PAYMENT_METHODS,
  PLACE_STATUSES,
  SHIPMENT_STATES,
} from '../../../src/contract/shipment-state.ts';
import { CREATION_PROBLEMS, VALIDATION_WARNINGS } from '../../../src/contract/shipment-validation.ts';
import { TRACKED_EVENT_TYPES } from '../../../src/contract/tracking.ts';
import { DEPLOYMENTS } from '../../../src/core/deployment.ts';
import { LOCALES } from '../../../src/core/locale.ts';
import { VIOLATION_CODES } from '../../../src/core/problem-code.ts';

/** A list of values that the document describes once, under this name. */
export interface NamedEnum {
  readonly name: string;
  readonly values: readonly string[];
  readonly description: string;
}

/** Every enum of the document. A list of values is found by its values, so two nouns must not share a list. */
export const ENUMS: readonly NamedEnum[] = [
  named('Actor', ACTORS, 'Who caused an event.'),
  named('AddressConfidence', CONFIDENCES, 'What the location of a suggestion is.'),
  named('AddressRegistry', ['spl', 'fixture', 'none'], 'Which registry knows national addresses.'),
  named('Amender', AMENDERS, 'Who asked for an amendment.'),
  named('AmendmentChange', AMENDMENT_CHANGES, 'What an amendment changes.'),
  named('AmendmentObjection', AMENDMENT_OBJECTIONS, 'Why an amendment is not allowed.'),
  named('AmendmentReason', AMENDMENT_REASONS, 'Why a shipment is amended.'),
  named('AmendmentState', AMENDMENT_STATES, 'Whether an amendment is in force.'),
  named('AssuranceLevel', ASSURANCE_LEVELS, 'How a session was proved: by one channel (AAL1) or by both (AAL2).'),
  named('BatchItemState', BATCH_ITEM_STATES, 'What became of an item of a batch. VALID: a creation would be accepted.'),
  named('BatchMode', BATCH_MODES, 'VALIDATE judges the items, CREATE creates their shipments.'),
  named('BatchState', BATCH_STATES, 'Where a batch stands. STOPPED: it ended early, and the rest was skipped.'),
  named('CancellationReason', CANCELLATION_REASONS, 'Why a shipment is cancelled.'),
  named(
    'CancellationRule',
    CANCELLATION_RULES,
    'Why a cancellation costs what it costs, or why nothing can be cancelled.',
  ),
  named('Payer', PAYERS, 'Who pays for a cancellation or an amendment.'),
  named('ChargeCode', CHARGE_CODES, 'What a line of charges is for.'),
  named('DeliveryPlaceKind', PLACE_KINDS, 'Where a driver leaves a parcel.'),
  named('DeliveryFailureReason', FAILURE_REASONS, 'Why a delivery failed.'),
  named('DeliveryStatus', DELIVERY_STATUSES, 'Where the delivery of an event stands. EXHAUSTED: every attempt failed.'),
  named(
    'FinishedDeliveryStatus',
    DELIVERY_STATUSES.filter((status) => status !== 'PENDING' && status !== 'RETRYING'),
    'The status of a delivery that has ended.',
  ),
  named('Deployment', DEPLOYMENTS, 'The deployment that answers.'),
  named('DispatchObstacle', DISPATCH_OBSTACLES, 'What stands between a shipment and a driver.'),
  named('DispatchPhase', DISPATCH_PHASES, 'Where the search for a driver stands.'),
  named('DocumentContentType', DOCUMENT_CONTENT_TYPES, 'The media type of a document.'),
  named('DocumentState', ['MISSING', 'UPLOADED'], 'Whether a required document is there.'),
  named('DocumentType', DOCUMENT_TYPES, 'A kind of document that a registration can need.'),
  named('DriverAction', DRIVER_ACTIONS, 'What a driver does with a shipment.'),
  named(
    'EndpointDisabledReason',
    ['GONE', 'FAILING'],
    'Why the service disabled an endpoint: it answered 410, or failed for too long.',
  ),
  named('EventType', EVENT_TYPES, 'What happened.'),
  named('EventTypeFilter', [...EVENT_TYPES, '*'], 'An event type, or `*` for every type, including future ones.'),
  named('FaultTarget', FAULT_TARGETS, 'What fails in a sandbox on request.'),
  named('LabelSubject', ['shipment', 'item'], 'What gets a label: the shipment, or each of its items.'),
  named('LegalBasis', LEGAL_BASES, 'The legal basis of a merchant.'),
  named('Locale', LOCALES, 'A language: English or Arabic.'),
  named('MessageChannel', MESSAGE_CHANNELS, 'How a code is sent.'),
  named('OnInvalid', ON_INVALID, 'What a batch does after a refusal: it skips the item, or it stops.'),
  named('PaymentMethod', PAYMENT_METHODS, 'PREPAID: nothing to collect. COD: the driver collects codAmount in cash.'),
  named('PictureContentType', MEDIA_CONTENT_TYPES, 'The media type of a picture.'),
  named('PlaceStatus', PLACE_STATUSES, 'Whether shipments can name the place.'),
  named('PriceCode', PRICE_CODES, 'What a line of a price is for.'),
  named('RegistrationState', REGISTRATION_STATES, 'Whether a registration is complete.'),
  named('SandboxClockState', CLOCK_STATES, 'Whether the clock runs or plays an advance.'),
  named('SandboxDueThing', CLOCK_ENTRIES, 'What the service does at an instant.'),
  named('SandboxPrerequisite', PREREQUISITES, 'What a shipment needs before it can be created.'),
  named('SandboxScenarioName', SCENARIOS, 'The course that a sandbox shipment takes by itself.'),
  named('SessionRole', SESSION_ROLES, 'The role of a person.'),
  named('ShipmentEventType', SHIPMENT_EVENT_TYPES, 'What happened to a shipment.'),
  named('ShipmentState', SHIPMENT_STATES, 'Where a shipment stands. Read it; do not assume a sequence.'),
  named(
    'TimelineType',
    TIMELINE_TYPES,
    'An event of a shipment, or what a driver reported after an operator had given it to another one.',
  ),
  named('TrackedEventType', TRACKED_EVENT_TYPES, 'An event that the tracking page shows.'),
  named('TrackingLinkState', ['ACTIVE', 'REVOKED', 'EXPIRED'], 'Whether a tracking link still works.'),
  named('CredentialScope', COMPANY_SCOPES, 'What an owner may grant to the company’s systems.'),
  named('CreationProblem', CREATION_PROBLEMS, 'A problem of a creation that is neither a violation nor a conflict.'),
  named('ValidationWarningCode', VALIDATION_WARNINGS, 'What a creation accepts, and a person should look at.'),
  named('ViolationCode', VIOLATION_CODES, 'The rule that a value breaks.'),
  named('VehicleType', VEHICLE_TYPES, 'The vehicle of a driver.'),
  named('WebhookAttemptError', ATTEMPT_ERRORS, 'Why an attempt to deliver an event failed.'),
  named(
    'WebhookEndpointState',
    ENDPOINT_STATES.filter((state) => state !== 'DELETED'),
    'Whether an endpoint gets events. AUTO_DISABLED: by the service, after too many failures.',
  ),
  named('WebhookReplayState', REPLAY_STATES, 'Where a replay stands.'),
  named('ReadinessStatus', ['ready', 'not_ready'], 'Whether the service can do its work.'),
  named('RequestMethod', REQUEST_METHODS, 'The method of a logged request.'),
  named('RequestSource', REQUEST_SOURCES, 'Who sent a logged request: a program, or a person in the console.'),
  named('MissingForShipments', ['TARIFF', 'SERVICE_LEVEL', 'DRIVER'], 'What operators have to add first.'),
  named('Geocoder', ['photon', 'fixture', 'none'], 'What suggests places for a text.'),
  named('RoutingEngine', ['osrm', 'fixture', 'none'], 'What computes routes.'),
  named('MessageProvider', ['carriers', 'inbox', 'folder', 'none'], 'What sends messages.'),
  named('ProviderOutcome', ['answered', 'refused', 'failed', 'timed_out'], 'How the call ended.'),
  named('DocumentProvider', ['r2', 's3', 'folder', 'none'], 'What keeps documents.'),
];

function named(name: string, values: readonly string[], description: string): NamedEnum {
  return { name, values, description };
}
