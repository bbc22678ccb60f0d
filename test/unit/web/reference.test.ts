import { describe, expect, it } from 'vitest';
import { curlSample } from '../../../src/pages/reference/curl.ts';
import { listFields } from '../../../src/pages/reference/fields.ts';
import { llmsText } from '../../../src/pages/reference/llms.ts';
import { groupOperations, listOperations } from '../../../src/pages/reference/operations.ts';
import { referencePage } from '../../../src/pages/reference/page.ts';
import { sampleRequest } from '../../../src/pages/reference/sample-request.ts';
import { expectPlainDocument } from './expect-plain-document.ts';
import { sampleDocument as document } from './sample-document.ts';

const baseUrl = 'https://sandbox.example';
const edges = [
  { from: 'NEW', to: 'MOVING', label: 'picked up' },
  { from: 'MOVING', to: 'NEW', label: 'released' },
  { from: 'MOVING', to: 'DONE', label: 'delivered <at last>' },
  { from: 'MOVING', to: 'LOST', label: 'lost' },
  { from: 'NEW', to: 'LOST', label: 'cancelled' },
];

const operations = listOperations(document);

function sampleOf(anchor: string): string {
  const operation = operations.find((each) => each.anchor === anchor);
  return operation === undefined ? '' : curlSample(sampleRequest(document, operation, baseUrl));
}

describe('the operations of a document', () => {
  it('are all found, with their rights', () => {
    expect(operations.map(({ anchor, method, path, access }) => [anchor, method, path, access])).toEqual([
      ['shipments-list', 'GET', '/v2/shipments', ['shipments:read']],
      ['shipments-create', 'POST', '/v2/shipments', ['shipments:write', 'session']],
      ['put-v2-shipments-shipmentid-notes-note', 'PUT', '/v2/shipments/{shipmentId}/notes/{note}', ['shipments:read']],
      ['oauth-token', 'POST', '/oauth/token', []],
    ]);
  });

  it('stand under their tags, unused tags left out', () => {
    expect(groupOperations(document).map((group) => [group.tag, group.operations.length])).toEqual([
      ['Shipments', 2],
      ['Other', 1],
      ['OAuth', 1],
    ]);
  });

  it('name the machine codes of each status', () => {
    const codes = operations.flatMap(({ responses }) => responses.map(({ status, codes }) => [status, codes]));
    expect(codes).toEqual([
      ['200', []],
      ['400', ['INVALID_CURSOR', 'NOT_A_CODE']],
      ['201', []],
      ['422', ['VALIDATION_FAILED', 'IDEMPOTENCY_KEY_REUSED']],
      ['204', []],
      ['200', []],
    ]);
  });
});

describe('the fields of a body', () => {
  it('are listed with the ones inside them', () => {
    const fields = listFields(document, { $ref: '#/components/schemas/New' });
    expect(fields.map(({ path, type, isRequired, rules }) => [path, type, isRequired, rules])).toEqual([
      ['externalReference', 'string', true, ['length 1..128']],
      ['items', 'array of object', true, ['entries >= 1']],
      ['items[].quantity', 'integer', true, ['value >= 1']],
      ['comment', 'string or null', false, ['length <= 240']],
    ]);
  });

  it('end somewhere when an object refers to itself', () => {
    expect(listFields(document, { $ref: '#/components/schemas/Shipment' }).length).toBeLessThan(20);
  });
});

describe('a curl sample', () => {
  it('leaves out what is optional', () => {
    expect(sampleOf('shipments-list')).toBe(
      `curl 'https://sandbox.example/v2/shipments' \\
  -H "Authorization: Bearer $MIRSAL_TOKEN"`,
    );
  });

  it('sends the required headers and a body made from the rules', () => {
    expect(sampleOf('shipments-create')).toBe(
      `curl -X POST 'https://sandbox.example/v2/shipments' \\
  -H "Authorization: Bearer $MIRSAL_TOKEN" \\
  -H 'Idempotency-Key: 6f1c2c1e-5b0a-4a8e-9d67-0d7f3f7a9b52' \\
  -H 'Content-Type: application/json' \\
  -d '{
  "externalReference": "ORDER-1001",
  "items": [
    {
      "quantity": 1
    }
  ]
}'`,
    );
  });

  it('quotes what a shell would read', () => {
    expect(sampleOf('put-v2-shipments-shipmentid-notes-note')).toBe(
      `curl -X PUT 'https://sandbox.example/v2/shipments/01976e2a-7c10-7f4e-8b21-6d90c3a5e842/notes/it'\\''s' \\
  -H "Authorization: Bearer $MIRSAL_TOKEN" \\
  -H 'Content-Type: image/png' \\
  --data-binary @file`,
    );
  });

  it('writes forms, and no token where none is needed', () => {
    expect(sampleOf('oauth-token')).toBe(
      `curl -X POST 'https://sandbox.example/oauth/token' \\
  --data-urlencode 'grant_type=client_credentials'`,
    );
  });
});

describe.each(['en', 'ar'] as const)('the reference in %s', (locale) => {
  const page = referencePage({ document, locale, baseUrl, edges });

  it('is a plain document', () => {
    expectPlainDocument(page, locale);
  });

  it('has every operation, in the contents and as a section', () => {
    for (const { anchor, path } of operations) {
      expect(page).toContain(`href="#${anchor}"`);
      expect(page).toContain(`<h3 id="${anchor}">`);
      expect(page).toContain(`<code>${path}</code>`);
    }
  });

  it('escapes the texts of the document', () => {
    expect(page).toContain('Create a shipment &lt;b&gt;now&lt;/b&gt;');
    expect(page).toContain('Your own &lt;number&gt;.');
    expect(page).toContain('delivered &lt;at last&gt;');
    expect(page).not.toContain('<b>now</b>');
  });

  it('links the codes that have a page, and the objects', () => {
    expect(page).toContain(`<a href="/problems/invalid-cursor?lang=${locale}">`);
    expect(page).not.toContain('/problems/not-a-code');
    expect(page).toContain('<a href="#object-shipment">');
  });

  it('draws every change of state', () => {
    for (const { from, to } of edges) expect(page).toContain(`<title>${from} → ${to}: `);
    expect(page.match(/<rect /g)).toHaveLength(4);
    expect(page).not.toContain('NaN');
  });
});

describe('a reference without edges', () => {
  it('is still a document', () => {
    expectPlainDocument(referencePage({ document, locale: 'en', baseUrl, edges: [] }), 'en');
  });
});

describe('llms.txt', () => {
  const text = llmsText({ document, baseUrl });

  it('begins with a title and a summary of one line each', () => {
    expect(text.startsWith('# Sample <service>\n\n> Moves parcels.\n\n')).toBe(true);
  });

  it('has every operation with method, path, scope and purpose', () => {
    expect(text.split('\n').filter((line) => line.includes('/docs#') && line.includes('/v2/'))).toEqual([
      '- [GET /v2/shipments](https://sandbox.example/docs#shipments-list) (shipments:read): List shipments',
      '- [POST /v2/shipments](https://sandbox.example/docs#shipments-create) (shipments:write or session): ' +
        'Create a shipment <b>now</b>',
      '- [PUT /v2/shipments/{shipmentId}/notes/{note}]' +
        '(https://sandbox.example/docs#put-v2-shipments-shipmentid-notes-note) (shipments:read): Write a note',
    ]);
    expect(text).toContain('(no authentication): Get a token');
  });

  it.each(['Idempotency-Key', 'Decimals', 'Cursors', 'If-Match', 'problem+json', '`SHIPMENT_NOT_CANCELLABLE`'])(
    'tells of %s',
    (word) => {
      expect(text).toContain(word);
    },
  );
});
