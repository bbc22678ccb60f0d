import { ADDRESS_STATUSES } from '../../../src/contract/address-state.ts';
import { AMENDERS } from '../../../src/contract/amendment-event.ts';
import { UNTIL } from '../../../src/contract/amendment-rules.ts';
import {
  AMENDMENT_CHANGES,
  AMENDMENT_DECISIONS,
  AMENDMENT_OBJECTIONS,
  AMENDMENT_REASONS,
  AMENDMENT_STATES,
  PLACE_KINDS,
} from '../../../src/contract/amendment-state.ts';
import { CANCELLATION_RULES, PAYERS } from '../../../src/contract/cancellation.ts';
import {
  CASE_AUTHORS,
  CASE_DECISIONS,
  CASE_KINDS,
  CASE_OPENERS,
  CASE_OUTCOMES,
  CASE_STATES,
  RECIPIENT_CASE_KINDS,
} from '../../../src/contract/case-state.ts';
import { COD_HOLDERS, COLLECTION_METHODS } from '../../../src/contract/cod-state.ts';
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
  EVIDENCES,
  PIN_MESSAGES,
  PROOF_KINDS,
  PROOF_MEDIA_PURPOSES,
  RECORD_KINDS,
} from '../../../src/contract/proof-state.ts';
import { LINK_PERMISSIONS, RECIPIENT_CHANGES, REFUSAL_REASONS } from '../../../src/contract/recipient-state.ts';
import {
  DOCUMENT_CONTENT_TYPES,
  DOCUMENT_TYPES,
  LEGAL_BASES,
  REGISTRATION_STATES,
} from '../../../src/contract/registration-state.ts';
import { REQUEST_METHODS, REQUEST_SOURCES } from '../../../src/contract/request-log-state.ts';
import {
  FAILURE_PAYERS,
  FOLLOW_UP_KINDS,
  GOODS,
  OPTION_OBJECTIONS,
  RECALL_REASONS,
  RESOLUTION_KINDS,
  RESOLUTION_STATES,
  RETURN_REASONS,
  SHIPMENT_KINDS,
} from '../../../src/contract/resolution-state.ts';
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
import { WINDOW_PARTS, WINDOW_STATUSES } from '../../../src/contract/window-state.ts';
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
  named('AmendmentDecision', AMENDMENT_DECISIONS, 'What a company decides on an amendment that waits for it.'),
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
  named('ChangeEnd', UNTIL, 'Until when something can be changed: what ends it.'),
  named('ChargeCode', CHARGE_CODES, 'What a line of charges is for.'),
  named('DeliveryWindowPart', WINDOW_PARTS, 'Half of the day in which a delivery window starts.'),
  named('DeliveryWindowStatus', WINDOW_STATUSES, 'What became of a delivery window.'),
  named('DeliveryPlaceKind', PLACE_KINDS, 'Where a driver leaves a parcel.'),
  named('Goods', GOODS, 'Who has a parcel.'),
  named(
    'ShipmentKind',
    SHIPMENT_KINDS,
    'FORWARD: a shipment of its own. The others carry the parcel of an earlier one.',
  ),
  named('FollowUpKind', FOLLOW_UP_KINDS, 'What a shipment is that carries the parcel of an earlier one.'),
  named('ResolutionKind', RESOLUTION_KINDS, 'What becomes of a parcel whose delivery failed.'),
  named('ResolutionState', RESOLUTION_STATES, 'Whether it is decided what becomes of a parcel.'),
  named('FailurePayer', FAILURE_PAYERS, 'Who pays for what follows a failure.'),
  named('ResolutionObjection', OPTION_OBJECTIONS, 'Why an option cannot be chosen.'),
  named('ReturnReason', RETURN_REASONS, 'Why what was delivered goes back.'),
  named('RecallReason', RECALL_REASONS, 'Why a merchant takes back a parcel that is on its way.'),
  named('CaseAuthor', CASE_AUTHORS, 'Who wrote a message of a complaint.'),
  named('CaseDecision', CASE_DECISIONS, 'What a merchant decides about a complaint.'),
  named('CaseKind', CASE_KINDS, 'What a complaint is about.'),
  named('CaseOpener', CASE_OPENERS, 'Who opened a complaint.'),
  named('CaseOutcome', CASE_OUTCOMES, 'How a complaint ended.'),
  named('CaseState', CASE_STATES, 'Where a complaint stands. DISPUTED: a second person decides.'),
  named('RecipientCaseKind', RECIPIENT_CASE_KINDS, 'What a recipient can complain about.'),
  named('Evidence', EVIDENCES, 'How much a record proves.'),
  named('ProofKind', PROOF_KINDS, 'What a delivery has to prove.'),
  named('ProofMediaPurpose', PROOF_MEDIA_PURPOSES, 'What a picture of a delivery shows.'),
  named('ProofRecordKind', RECORD_KINDS, 'What a record is of.'),
  named('PinMessage', PIN_MESSAGES, 'How the recipient got the PIN.'),
  named('CodHolder', COD_HOLDERS, 'Who has the amount to collect.'),
  named('CollectionMethod', COLLECTION_METHODS, 'How the recipient paid the amount to collect.'),
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
  named(
    'LinkPermission',
    LINK_PERMISSIONS,
    'What a tracking link allows the recipient: what to change, and with PROOF to see the photo of the delivery.',
  ),
  named('RecipientChangeKind', RECIPIENT_CHANGES, 'What a recipient may change.'),
  named('LegalBasis', LEGAL_BASES, 'The legal basis of a merchant.'),
  named('Locale', LOCALES, 'A language: English or Arabic.'),
  named('MessageChannel', MESSAGE_CHANNELS, 'How a code is sent.'),
  named('NationalAddressStatus', ADDRESS_STATUSES, 'What is known about the National Address of a shipment.'),
  named('OnInvalid', ON_INVALID, 'What a batch does after a refusal: it skips the item, or it stops.'),
  named('PaymentMethod', PAYMENT_METHODS, 'PREPAID: nothing to collect. COD: the driver collects codAmount in cash.'),
  named('PictureContentType', MEDIA_CONTENT_TYPES, 'The media type of a picture.'),
  named('PlaceStatus', PLACE_STATUSES, 'Whether shipments can name the place.'),
  named('PriceCode', PRICE_CODES, 'What a line of a price is for.'),
  named('RefusalReason', REFUSAL_REASONS, 'Why a recipient does not want a shipment.'),
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
