import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVENT_TYPES } from '../../../src/contract/event-type.ts';
import { instantFromMillis } from '../../../src/core/instant.ts';
import { envelopeText } from '../../../src/domain/events/record.ts';
import { sampleOf } from '../../../src/domain/webhooks/sample-event.ts';
import { systemRandom } from '../../../src/providers/system.ts';
import { eventFaultsOf } from '../../support/openapi.ts';

/** The parts of the document that say what happens besides requests to the service. */
const link = z.object({ operationId: z.string(), parameters: z.record(z.string(), z.string()) });
const parameter = z.object({ name: z.string() }).partial();
const operation = z.object({
  operationId: z.string(),
  parameters: z.array(parameter).default([]),
  responses: z.record(z.string(), z.object({ links: z.record(z.string(), link).optional() })),
});
const media = z.object({ example: z.looseObject({ type: z.string() }) });
const openApi = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  webhooks: z.record(
    z.string(),
    z.object({ post: z.object({ requestBody: z.object({ content: z.object({ 'application/json': media }) }) }) }),
  ),
});
const { paths, webhooks } = openApi.parse(JSON.parse(readFileSync('docs/openapi.json', 'utf8')));

describe('the webhooks of the document', () => {
  it('are the event types', () => {
    expect(Object.keys(webhooks)).toEqual(EVENT_TYPES);
  });

  it.each(EVENT_TYPES)('have a valid example of %s', (type) => {
    const example = webhooks[type]?.post.requestBody.content['application/json'].example;
    expect(example?.type).toBe(type);
    expect(eventFaultsOf({ type, ...example })).toEqual([]);
  });

  it.each(EVENT_TYPES)('describe a test event of %s', (eventType) => {
    const event = z.looseObject({ type: z.string() }).parse(JSON.parse(testEvent(eventType)));
    expect(eventFaultsOf(event)).toEqual([]);
  });

  it('refuse an event of another type', () => {
    const event = z.looseObject({}).parse(JSON.parse(testEvent('shipment.created')));
    const other = { ...event, type: 'shipment.delivered', data: {} };
    expect(eventFaultsOf(other)).not.toEqual([]);
    expect(eventFaultsOf({ ...event, type: 'shipment.eaten' })).toEqual(['there is no webhook shipment.eaten']);
  });
});

describe('the links of the document', () => {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const links = operations.flatMap(({ operationId, responses }) =>
    Object.values(responses).flatMap((response) =>
      Object.entries(response.links ?? {}).map(([name, to]) => [`${operationId} ${name}`, to] as const),
    ),
  );

  it('lead from a creation to reading and cancelling', () => {
    expect(links.map(([name]) => name)).toEqual(
      expect.arrayContaining(['shipments.create GetShipment', 'shipments.create CancelShipment']),
    );
  });

  it.each(links)('%s gives parameters that the operation has', (_name, { operationId, parameters }) => {
    const target = operations.find((each) => each.operationId === operationId);
    const names = target?.parameters.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(parameters)));
  });
});

function testEvent(type: (typeof EVENT_TYPES)[number]): string {
  const now = instantFromMillis(0);
  const [id, companyId, correlationId] = [systemRandom.uuid(), systemRandom.uuid(), systemRandom.uuid()];
  return envelopeText('sandbox', {
    id,
    companyId,
    correlationId,
    offsetSeconds: 0,
    type,
    shipmentId: null,
    isTest: true,
    occurredAt: now,
    ...sampleOf(type, now),
  });
}
