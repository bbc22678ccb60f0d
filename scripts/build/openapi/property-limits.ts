import { AMENDMENT_CHANGES } from '../../../src/contract/amendment-state.ts';
import { RECEIVER_CHECKS } from '../../../src/contract/event-type.ts';
import { PRICE_CODES } from '../../../src/contract/price-estimate.ts';
import { LINK_PERMISSIONS, RECIPIENT_CHANGES } from '../../../src/contract/recipient-state.ts';
import { DOCUMENT_CONTENT_TYPES, DOCUMENT_TYPES } from '../../../src/contract/registration-state.ts';
import { PREREQUISITES } from '../../../src/contract/sandbox.ts';
import { COMPANY_SCOPES } from '../../../src/contract/scope.ts';
import { ITEMS_MAX } from '../../../src/contract/shipment-state.ts';
import { CODE_ATTEMPTS_MAX, PAGE_LIMIT_MAX, UPLOAD_BYTES_MAX } from '../../../src/core/limits.ts';
import type { Schema } from './shapes.ts';

const upTo = (maxLength: number): Schema => ({ maxLength });
const entries = (maxItems: number): Schema => ({ maxItems });
const atLeast = (minimum: number): Schema => ({ minimum });

/**
 * Limits of members of answers, by the property's name, or by schema and name. Requests bring theirs from their schemas.
 * The checks of an answer's schema do not need them, so the service's own schemas leave them out.
 */
export const PROPERTY_LIMITS: Readonly<Record<string, Schema>> = {
  access_token: upTo(4096),
  addressLine: upTo(240),
  applied: entries(AMENDMENT_CHANGES.length),
  attempts: entries(20),
  attemptsRemaining: { maximum: CODE_ATTEMPTS_MAX },
  // Another move of the pin replaces one that waits.
  awaitingMerchant: entries(1),
  branchCode: upTo(64),
  breakdown: entries(PRICE_CODES.length),
  'TestEventResult.checks': entries(RECEIVER_CHECKS.length),
  cityCode: upTo(32),
  clientId: upTo(64),
  clientSecret: upTo(128),
  'Capability.cities': entries(500),
  'Capability.code': upTo(48),
  comment: upTo(240),
  codAmount: atLeast(0),
  contactName: upTo(120),
  contentTypes: entries(DOCUMENT_CONTENT_TYPES.length),
  currency: { pattern: '^[A-Z]{3}$' },
  data: entries(PAGE_LIMIT_MAX),
  'Capabilities.data': entries(500),
  'Cities.data': entries(500),
  declaredValue: atLeast(0),
  description: upTo(240),
  'ShipmentItem.description': { minLength: 1, maxLength: 160 },
  destinationCity: upTo(32),
  destinationCityCode: upTo(32),
  driverToken: upTo(256),
  email: upTo(254),
  eventTypes: { minItems: 1 },
  expires_in: atLeast(1),
  externalReference: upTo(128),
  firstName: upTo(120),
  fullName: upTo(120),
  heightCentimetres: { exclusiveMinimum: 0 },
  instructions: upTo(500),
  'AmendedValues.instructions': upTo(280),
  'RecipientDelivery.instructions': upTo(280),
  'DeliveryPlace.note': upTo(120),
  changes: entries(AMENDMENT_CHANGES.length),
  'AmendmentPreview.violations': entries(AMENDMENT_CHANGES.length),
  'PriceEffect.lines': entries(1),
  items: entries(ITEMS_MAX),
  'TrackingEntry.label': upTo(128),
  label: upTo(120),
  latitude: { minimum: -90, maximum: 90 },
  lengthCentimetres: { exclusiveMinimum: 0 },
  longitude: { minimum: -180, maximum: 180 },
  maskedContactPhone: upTo(16),
  maskedDestination: upTo(263),
  maskedRecipientPhone: upTo(16),
  maxBytes: { minimum: 1, maximum: UPLOAD_BYTES_MAX },
  merchantName: upTo(120),
  merchantPhone: upTo(16),
  merchantWhatsApp: upTo(16),
  may: entries(RECIPIENT_CHANGES.length),
  name: upTo(120),
  nameAr: upTo(120),
  nextCursor: upTo(512),
  'WebhookAttempt.number': { minimum: 1, maximum: 10 },
  permissions: entries(LINK_PERMISSIONS.length),
  pickupLocationCode: upTo(64),
  pickupInstructions: upTo(500),
  prerequisites: entries(PREREQUISITES.length),
  recipientName: upTo(120),
  recipientPhone: upTo(16),
  'DriverContact.phone': upTo(16),
  recipientToken: upTo(64),
  requiredDocuments: entries(DOCUMENT_TYPES.length),
  requirements: entries(20),
  responseStatus: { minimum: 100, maximum: 599 },
  sandboxOtp: { pattern: '^[0-9]{6}$' },
  scope: upTo(128),
  scopes: entries(COMPANY_SCOPES.length),
  secretHint: { minLength: 4, maxLength: 4 },
  serviceLevel: upTo(64),
  sessionToken: upTo(128),
  shipmentNumber: upTo(32),
  sizeBytes: { maximum: UPLOAD_BYTES_MAX },
  stateLabel: upTo(64),
  statuses: entries(3),
  totalWeightKilograms: { exclusiveMinimum: 0 },
  uploadCapability: upTo(128),
  url: upTo(2048),
  vatRate: { minimum: 0, maximum: 1 },
  weightKilograms: { exclusiveMinimum: 0 },
  widthCentimetres: { exclusiveMinimum: 0 },
};
