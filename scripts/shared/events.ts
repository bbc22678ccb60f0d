import * as z from 'zod';

export const EVENTS = '/v2/external/events';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** The envelope of an event, as the feed and webhooks send it. */
export const eventBody = z.strictObject({
  id: z.uuidv7(),
  type: z.string(),
  timestamp: z.string().regex(INSTANT),
  apiVersion: z.literal('v2'),
  deployment: z.literal('local'),
  companyId: z.uuid(),
  shipmentId: z.nullable(z.uuid()),
  sequence: z.int().min(0),
  previousState: z.nullable(z.string()),
  correlationId: z.uuid(),
  test: z.optional(z.literal(true)),
  data: z.looseObject({ shipment: z.looseObject({ state: z.string() }) }),
});
export type EventBody = z.output<typeof eventBody>;

const eventPage = z.strictObject({
  data: z.array(eventBody),
  page: z.strictObject({ nextCursor: z.nullable(z.string()), hasMore: z.boolean() }),
});

export async function readEventPage(response: Response): Promise<z.output<typeof eventPage>> {
  return eventPage.parse(await response.json());
}
