import * as z from 'zod';
import { REQUEST_METHODS, REQUEST_SOURCES } from './request-log-state.ts';
import { externalReference } from './shipment.ts';
import { instant, instantOut, integer, logged, patterned, text, uuid, uuidOut } from './values.ts';

/** The request log: what a company's programs and people asked, with masked values. */

const count = z.number().meta({ override: { type: 'integer' as const, minimum: 0 } });
/** JSON whose values are masked. */
const masked = z.nullable(z.record(z.string(), z.unknown()));
const about = <Schema extends z.ZodType>(schema: Schema, description: string) => schema.meta({ description });

const entry = {
  requestId: uuidOut,
  correlationId: about(uuidOut, 'The id that the request, its events and their deliveries share.'),
  at: about(instantOut, 'When the request arrived.'),
  source: about(z.enum(REQUEST_SOURCES), 'Whether a program or a person in the console sent it.'),
  method: about(z.enum(REQUEST_METHODS), 'The method. A call of the console has that of the same REST operation.'),
  path: about(z.string(), 'The path and the query. Hidden values stand as `<name>`.'),
  operation: about(logged(z.string()), 'The procedure that answered, such as `shipments.create`.'),
  status: about(integer(100, 599), 'The status of the response.'),
  code: about(z.nullable(logged(z.string())), 'The machine code of the problem; null if the request succeeded.'),
  durationMs: count,
  clientId: about(
    z.nullable(logged(logged(z.string()))),
    'The program; null for a person in the console, whom the log does not name.',
  ),
  idempotencyKeyHash: about(
    z.nullable(z.string()),
    'The start of the SHA-256 of the Idempotency-Key, in hexadecimal digits; null without a key.',
  ),
  replayed: about(z.boolean(), 'Whether the response repeated the first one of the Idempotency-Key.'),
  requestHeaders: about(z.record(z.string(), z.string()), 'The headers that are parameters of the operation.'),
  requestBody: about(masked, 'The body with masked values; null if there was none, or the entry would be too long.'),
  responseBody: about(
    masked,
    'The body with masked values, and of a problem its code and violations. Null if the entry would be too long.',
  ),
  bytes: about(z.nullable(count), 'Characters of the body of the response; null if it is not JSON.'),
  shipmentId: about(
    z.nullable(uuidOut),
    'The shipment that the request was about; null if it was about none or several.',
  ),
  externalReference: about(
    z.nullable(logged(z.string())),
    'The reference in the request or the response; null if there is none.',
  ),
  repeats: about(
    count,
    'Equal successful reads that followed and are not listed; of a 429, those of the same operation.',
  ),
};

export const loggedRequest = z.strictObject(entry).meta({ id: 'LoggedRequest' });
export type LoggedRequest = z.output<typeof loggedRequest>;

/** One entry, with the events that the request caused and a command that repeats it. */
export const loggedRequestWithEvents = z
  .strictObject({
    ...entry,
    relatedEvents: about(z.array(uuidOut), 'The ids of the events of the shipment that the request caused.'),
    curl: about(
      z.nullable(z.string()),
      'A command that repeats the request; null for a call that only the console makes, for a file, and for a body with a list that was cut.',
    ),
  })
  .meta({ id: 'LoggedRequestWithEvents' });
export type LoggedRequestWithEvents = z.output<typeof loggedRequestWithEvents>;

/** The filters of the list. `status` is a number or a class, such as `422` or `4xx`. */
export const requestLogFilter = {
  from: z.optional(instant),
  to: z.optional(instant),
  status: z.optional(logged(patterned(/^[1-5](?:\d\d|xx)$/))),
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
