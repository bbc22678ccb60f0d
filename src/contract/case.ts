import * as z from 'zod';
import {
  CASE_AUTHORS,
  CASE_KINDS,
  CASE_OPENERS,
  CASE_OUTCOMES,
  CASE_STATES,
  CASE_TEXT_LENGTH_MAX,
  RECIPIENT_CASE_KINDS,
} from './case-state.ts';
import { COLLECTION_METHODS } from './cod-state.ts';
import { TIMELINE_TYPES } from './event-type.ts';
import { MEDIA_ASSETS_MAX } from './media-asset-state.ts';
import { pageRequest } from './page.ts';
import { shipmentState, version } from './shipment.ts';
import { ACTORS } from './shipment-state.ts';
import { addRepetitions, decimalOut, instant, instantOut, logged, text, uuid, uuidOut } from './values.ts';

/** Complaints about shipments. */

export const caseText = text({ min: 1, max: CASE_TEXT_LENGTH_MAX });

const mediaAssetIds = z
  .optional(
    z
      .array(uuid)
      .max(MEDIA_ASSETS_MAX)
      .check((context) => addRepetitions(context, context.value))
      .meta({ uniqueItems: true }),
  )
  .describe(
    'Pictures that show it: of the shipment, or uploaded now with a reference that has no shipment yet. These become pictures of the shipment.',
  );

export const caseRequest = {
  kind: z.enum(CASE_KINDS).describe('What it is about.'),
  description: caseText.describe('What happened, in your own words.'),
  mediaAssetIds,
};
export const caseMessageRequest = { text: caseText.describe('The message.'), mediaAssetIds };
export const recipientCaseRequest = {
  kind: z.enum(RECIPIENT_CASE_KINDS).describe('What it is about.'),
  description: caseRequest.description,
};

const head = {
  caseId: uuidOut.describe('Identifies the complaint.'),
  number: logged(z.string()).describe('A number to say on the phone.'),
  kind: z.enum(CASE_KINDS).describe('What it is about.'),
  state: z.enum(CASE_STATES),
  outcome: z.nullable(z.enum(CASE_OUTCOMES)).describe('Null until it is answered or withdrawn.'),
  answerBy: instantOut.describe(
    'Until when an answer is owed: the fifth business day after the opening at 18:00 in Riyadh. After a dispute, the second one after it.',
  ),
  answeredAt: z.nullable(instantOut).describe('When it was last answered; null before.'),
  overdue: z.boolean().describe('Whether an answer is owed and `answerBy` has passed.'),
  createdAt: instantOut.describe('When it was opened.'),
};

/** A case without its texts, as in lists and events. */
export const caseSummary = z
  .strictObject({
    ...head,
    shipmentId: uuidOut,
    openedBy: z
      .enum(CASE_OPENERS)
      .describe('Who opened it. SYSTEM: the service, because the parcel was lost or damaged.'),
    version: version.describe('Raised by each change and each message.'),
  })
  .meta({ id: 'CaseSummary' });
export type CaseSummary = z.output<typeof caseSummary>;

/** As operators see it in their queue. */
export const owedCase = caseSummary.extend({
  companyId: uuidOut,
  companyName: z.nullable(z.string()),
  shipmentNumber: logged(z.string()),
});
export type OwedCase = z.output<typeof owedCase>;

const evidence = z.strictObject({
  proofSha256: z.nullable(z.string()).describe('SHA-256 of the proof of delivery; null without one.'),
  timeline: z
    .array(
      z.strictObject({
        sequence: z
          .number()
          .meta({ override: { type: 'integer' as const, minimum: 1 } })
          .describe('As in the timeline of the shipment.'),
        type: z.enum(TIMELINE_TYPES),
        state: shipmentState,
        occurredAt: instantOut,
        actor: z.enum(ACTORS).describe('Who caused it.'),
        reasonCode: z.nullable(logged(z.string())).describe('Why it happened; null without a reason.'),
      }),
    )
    .describe('What happened to the shipment, oldest first.'),
  positions: z
    .number()
    .meta({ override: { type: 'integer' as const, minimum: 0 } })
    .describe('How many arrivals of drivers were reported with their position.'),
  cod: z
    .nullable(
      z.strictObject({
        currency: logged(z.string()).describe('The currency of the amounts.'),
        expectedAmount: decimalOut().describe('What the driver had to collect.'),
        collectedAmount: z.nullable(decimalOut()).describe('What the driver collected; null if nothing was.'),
        method: z
          .nullable(z.enum(COLLECTION_METHODS))
          .describe('How the recipient paid; null if nothing was collected.'),
        collectedAt: z.nullable(instantOut).describe('When it was collected; null if nothing was.'),
      }),
    )
    .describe('Null for a shipment without an amount to collect.'),
});
export type CaseEvidence = z.output<typeof evidence>;

const message = z
  .strictObject({
    author: z.enum(CASE_AUTHORS).describe('Who wrote it.'),
    text: z.nullable(z.string()).describe('Null once the recipient is forgotten.'),
    mediaAssetIds: z.array(uuidOut).describe('Its pictures.'),
    createdAt: instantOut,
  })
  .meta({ id: 'CaseMessage' });

export const caseOut = caseSummary
  .extend({
    evidence: z
      .nullable(evidence)
      .describe('What the service knew at the answer. It never changes after it; null before it.'),
    evidenceSha256: z
      .nullable(z.string())
      .describe(
        'SHA-256 of the evidence as stored, in hexadecimal: the same as long as nothing changed. Null before the answer.',
      ),
    messages: z.array(message).describe('The description first, then messages and answers in their order.'),
  })
  .meta({ id: 'Case' });
export type Case = z.output<typeof caseOut>;

/** A case as the recipient sees it: only what they wrote and what operators answered. */
export const recipientCase = z
  .strictObject({
    ...head,
    messages: z
      .array(message.omit({ mediaAssetIds: true }).meta({ id: 'RecipientCaseMessage' }))
      .describe('What the recipient wrote, and the answers.'),
  })
  .meta({ id: 'RecipientCase' });
export type RecipientCase = z.output<typeof recipientCase>;
export const recipientCases = z.strictObject({ data: z.array(recipientCase) }).meta({ id: 'RecipientCases' });

/** Parameters of the list. */
const caseFilter = {
  state: z.optional(z.enum(CASE_STATES)),
  kind: z.optional(z.enum(CASE_KINDS)),
  shipmentId: z.optional(uuid),
  from: z.optional(instant),
  to: z.optional(instant),
};
export const caseListRequest = { ...caseFilter, ...pageRequest };
