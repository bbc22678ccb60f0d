import * as z from 'zod';
import { REQUEST_METHODS, REQUEST_SOURCES } from './request-log-state.ts';
import { externalReference } from './shipment.ts';
import { instant, instantOut, integer, logged, patterned, text, uuid, uuidOut } from './values.ts';

/** The request log: what a company's programs and people asked, with masked values. */

const count = z.number().meta({ override: { type: 'integer' as const, minimum: 0 } });
/** JSON whose values are masked. */
const masked = z.nullable(z.record(z.string(), z.unknown()));
const entry = {
  requestId: uuidOut,
  correlationId: uuidOut.describe('The id that the request, its events and their deliveries share.'),
  at: instantOut.describe('When the request arrived.'),
  source: z.enum(REQUEST_SOURCES).describe('Whether a program or a person in the console sent it.'),
  method: z.enum(REQUEST_METHODS).describe('The method. A call of the console has that of the same REST operation.'),
  path: z.string().describe('The path and the query. Hidden values stand as `<name>`.'),
  operation: logged(z.string()).describe(
    'The procedure that answered, such as `shipments.create`; `none` if the path has no such method.',
  ),
  status: integer(100, 599).describe('The status of the response.'),
  code: z.nullable(logged(z.string())).describe('The machine code of the problem; null if the request succeeded.'),
  durationMs: count,
  clientId: z
    .nullable(logged(logged(z.string())))
    .describe('The program; null for a person in the console, whom the log does not name.'),
  idempotencyKeyHash: z
    .nullable(z.string())
    .describe('The start of the SHA-256 of the Idempotency-Key, in hexadecimal digits; null without a key.'),
  replayed: z.boolean().describe('Whether the response repeated the first one of the Idempotency-Key.'),
  requestHeaders: z.record(z.string(), z.string()).describe('The headers that are parameters of the operation.'),
  requestBody: masked.describe('The body with masked values; null if there was none, or the entry would be too long.'),
  responseBody: masked.describe(
    'The body with masked values, and of a problem its code and violations. Null if the entry would be too long.',
  ),
  bytes: z.nullable(count).describe('Characters of the body of the response; null if it is not JSON.'),
  shipmentId: z
    .nullable(uuidOut)
    .describe('The shipment that the request was about; null if it was about none or several.'),
  externalReference: z
    .nullable(logged(z.string()))
    .describe('The reference in the request or the response; null if there is none.'),
  repeats: count.describe(
    'Equal successful reads that followed and are not listed; of a 429, those of the same operation.',
  ),
};

export const loggedRequest = z.strictObject(entry).meta({ id: 'LoggedRequest' });
export type LoggedRequest = z.output<typeof loggedRequest>;

/** One entry, with the events that the request caused and a command that repeats it. */
export const loggedRequestWithEvents = z
  .strictObject({
    ...entry,
    relatedEvents: z.array(uuidOut).describe('The ids of the events of the shipment that the request caused.'),
    curl: z
      .nullable(z.string())
      .describe(
        'A command that repeats the request; null for a call that only the console makes, for a file, and for a body with a list that was cut.',
      ),
  })
  .meta({ id: 'LoggedRequestWithEvents' });
export type LoggedRequestWithEvents = z.output<typeof loggedRequestWithEvents>;

/** The filters of the list. `status` is a number or a class, such as `422` or `4xx`. */
export const requestLogFilter = {
  from: z.optional(instant),
  to: z.optional(instant),
  status: z.optional(logged(patterned(/^[1-5](?:\d\d|xx)$/, 'status'))),
  method: z.optional(z.enum(REQUEST_METHODS)),
  operation: z.optional(logged(text({ min: 1, max: 64 }))),
  correlationId: z.optional(uuid),
  shipmentId: z.optional(uuid),
  externalReference: z.optional(externalReference()),
  source: z.optional(z.enum(REQUEST_SOURCES)),
};
export type RequestLogFilter = z.output<z.ZodObject<typeof requestLogFilter>>;

/** The members of problems that name the thing in the way. Their values are loggable; those of others are hidden. */
export const problemMembers = z.object({
  currentVersion: z.optional(z.number()),
  currentState: z.optional(logged(z.string())),
  existing: z.optional(z.object({ shipmentId: uuidOut, shipmentNumber: logged(z.string()) })),
});
