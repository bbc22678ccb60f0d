import * as z from 'zod';
import { ATTEMPT_WAIT_SECONDS_MAX } from '../core/limits.ts';
import { LOCALES } from '../core/locale.ts';
import { MEDIA_CONTENT_TYPES } from './media-asset-state.ts';
import {
  ATTEMPT_POLICIES,
  EVIDENCES,
  PIN_MESSAGES,
  PROOF_KINDS,
  PROOF_MEDIA_PURPOSES,
  PROOF_POLICIES,
  RECORD_KINDS,
} from './proof-state.ts';
import { locationOut } from './shipment.ts';
import { FAILURE_REASONS } from './shipment-state.ts';
import { coordinateOut, hidden, instantOut, integer, logged, uuidOut } from './values.ts';

/** What a driver has proven, as merchants read it. */

/** Query parameters of an upload. */
export const proofMediaRequest = { purpose: z.enum(PROOF_MEDIA_PURPOSES).describe('What the picture shows.') };

const sha256 = (of: string) => z.string().meta({ pattern: '^[0-9a-f]{64}$' }).describe(`SHA-256 of ${of}.`);
const wholeNumber = () => z.number().meta({ override: { type: 'integer' as const, minimum: 0 } });

export const storedProofMedia = z
  .strictObject({
    mediaAssetId: uuidOut.describe('Names the picture in `proof.mediaAssetIds`.'),
    sha256: sha256('the stored picture, which has no metadata'),
  })
  .meta({ id: 'StoredProofMedia' });
export type StoredProofMedia = z.output<typeof storedProofMedia>;

const media = z.strictObject({
  mediaAssetId: uuidOut,
  purpose: z.enum(PROOF_MEDIA_PURPOSES),
  contentType: z.enum(MEDIA_CONTENT_TYPES),
  sha256: sha256('the stored picture'),
  sizeBytes: wholeNumber(),
  recordedAt: instantOut.describe('When it was uploaded.'),
  availableUntil: z.nullable(instantOut).describe('When it is deleted; null once it is. Its hash stays.'),
});

export const proof = z
  .strictObject({
    kind: z.enum(RECORD_KINDS).describe('Of a delivery, or of an attempt that failed.'),
    evidence: z.enum(EVIDENCES).describe('How much the record proves.'),
    reasonCode: z.nullable(z.enum(FAILURE_REASONS)).describe('Why the attempt failed; null for a delivery.'),
    required: z.array(z.enum(PROOF_KINDS)).meta({ uniqueItems: true }).describe('What the delivery had to prove.'),
    pin: z
      .nullable(z.strictObject({ verifiedAt: instantOut.describe('When the driver had the right PIN.') }))
      .describe('Null if none was given.'),
    pinMessage: z
      .nullable(z.enum(PIN_MESSAGES))
      .describe('How the recipient got the PIN: FAILED if that was not possible; null if none was required.'),
    signedBy: z.nullable(z.string()).describe('Who has signed. Null also once the recipient is forgotten.'),
    media: z.array(media).describe('The pictures that the driver has named, in that order.'),
    place: z
      .nullable(
        z.strictObject({
          latitude: coordinateOut(),
          longitude: coordinateOut(),
          recordedAt: instantOut.describe('When the phone measured it.'),
          metersFromDestination: hidden(wholeNumber()).describe('To the destination of the shipment.'),
        }),
      )
      .describe('Where the driver was. Null if that is not known, and once the recipient is forgotten.'),
    arrivedAt: z.nullable(instantOut).describe('When the driver reported the arrival at the door.'),
    arrivalTakenAt: z
      .nullable(instantOut)
      .describe(
        'When the driver tapped the arrival, which may have waited for a connection. Null if that is not known.',
      ),
    waitedSeconds: z.nullable(wholeNumber()).describe('From the arrival to the action, as the driver tapped them.'),
    calledAt: z
      .nullable(instantOut)
      .describe('When the driver last called the recipient, as the driver says. Null if that is not known.'),
    releasedAt: z
      .nullable(instantOut)
      .describe('When an operator let it pass without all that was required; null if nobody did.'),
    takenAt: z
      .nullable(instantOut)
      .describe(
        'When the driver tapped the action, which may have waited for a connection. Null if that is not known.',
      ),
    recordedAt: instantOut.describe('When the service took the action.'),
    sha256: sha256('the record as it was written'),
    record: z
      .nullable(z.string())
      .describe('The record as it was written: compare its SHA-256. Null once the recipient is forgotten.'),
  })
  .meta({ id: 'Proof' });
export type Proof = z.output<typeof proof>;

export const proofDocumentRequest = { lang: z.optional(z.enum(LOCALES)).describe('The language of the page.') };

/** The content of the printed page. */
export const proofDocument = z.strictObject({
  locale: z.enum(LOCALES),
  merchantName: z.string(),
  shipmentNumber: logged(z.string()),
  externalReference: z.nullable(logged(z.string())),
  recipientName: z.string(),
  destination: locationOut,
  proof,
});
export type ProofDocument = z.output<typeof proofDocument>;

export const pinResend = z
  .strictObject({ resendsRemaining: wholeNumber().describe('Messages that can still be asked for.') })
  .meta({ id: 'PinResend' });

export type PinResend = z.output<typeof pinResend>;

/** An operator's release. */
export const releasedProof = z.strictObject({ shipmentId: uuidOut, releasedAt: instantOut });
export type ReleasedProof = z.output<typeof releasedProof>;

/** What an operator sets for a company. */
export const proofTerms = {
  proofPolicy: z.enum(PROOF_POLICIES),
  attemptPolicy: z.enum(ATTEMPT_POLICIES),
  waitSeconds: integer(0, ATTEMPT_WAIT_SECONDS_MAX),
};
