import type { OpenApiDocument } from '../../../src/pages/reference/document.ts';

/** A document with one of each thing that the reference reads: references, merged and nullable schemas, no security. */
export const sampleDocument: OpenApiDocument = {
  info: { title: 'Sample <service>', version: '2.1.0', summary: 'Moves\nparcels.' },
  tags: [{ name: 'Shipments', description: 'What is moved.' }, { name: 'Unused' }],
  security: [{ oauth2: ['shipments:read'] }],
  paths: {
    '/v2/shipments': {
      get: {
        operationId: 'shipments.list',
        tags: ['Shipments'],
        summary: 'List shipments',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 25 } },
          { $ref: '#/components/parameters/Language' },
        ],
        responses: {
          200: {
            description: 'A page.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['data'],
                  properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Shipment' } } },
                },
              },
            },
          },
          400: { description: 'Refused.', 'x-codes': ['INVALID_CURSOR', 'NOT_A_CODE'] },
        },
      },
      post: {
        operationId: 'shipments.create',
        tags: ['Shipments'],
        summary: 'Create a shipment <b>now</b>',
        security: [{ oauth2: ['shipments:write'] }, { session: [] }],
        parameters: [
          { name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string', minLength: 16 } },
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/New' } } },
        },
        responses: {
          201: {
            description: 'Created.',
            headers: { ETag: {} },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Shipment' } } },
          },
          422: {
            description: 'Refused.',
            content: {
              'application/problem+json': {
                schema: {
                  allOf: [
                    { $ref: '#/components/schemas/Problem' },
                    { properties: { code: { enum: ['VALIDATION_FAILED', 'IDEMPOTENCY_KEY_REUSED'] } } },
                  ],
                },
              },
            },
          },
        },
      },
    },
    '/v2/shipments/{shipmentId}/notes/{note}': {
      parameters: [{ name: 'shipmentId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
      put: {
        summary: 'Write a note',
        parameters: [{ name: 'note', in: 'path', required: true, example: "it's", schema: { type: 'string' } }],
        requestBody: { content: { 'image/png': {} } },
        responses: { 204: { description: 'Written.' } },
      },
    },
    '/oauth/token': {
      post: {
        operationId: 'oauth.token',
        tags: ['OAuth'],
        summary: 'Get a token',
        security: [],
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': {
              schema: {
                type: 'object',
                required: ['grant_type'],
                properties: { grant_type: { const: 'client_credentials' } },
              },
            },
          },
        },
        responses: { 200: { description: 'The token.' } },
      },
    },
  },
  components: {
    parameters: { Language: { name: 'Accept-Language', in: 'header', schema: { type: 'string', maxLength: 64 } } },
    schemas: {
      New: {
        type: 'object',
        required: ['externalReference', 'items'],
        properties: {
          externalReference: { type: 'string', minLength: 1, maxLength: 128, description: 'Your own <number>.' },
          items: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              required: ['quantity'],
              properties: {
                quantity: { type: 'integer', minimum: 1 },
                weight: { type: 'number', 'x-decimal': { fractionDigits: 6 }, description: 'In `kilograms`.' },
              },
            },
          },
          comment: { anyOf: [{ type: 'string', maxLength: 240 }, { type: 'null' }] },
        },
      },
      Shipment: {
        type: 'object',
        description: 'A parcel on its way.',
        required: ['shipmentId'],
        properties: {
          shipmentId: { type: 'string', format: 'uuid' },
          previous: { anyOf: [{ $ref: '#/components/schemas/Shipment' }, { type: 'null' }] },
        },
      },
      Problem: { type: 'object', properties: { code: { type: 'string' } } },
    },
  },
};
