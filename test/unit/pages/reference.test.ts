import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import openApiDocument from '../../../docs/openapi.json' with { type: 'json' };
import { readText } from '../../../scripts/shared/repository-file.ts';
import { EVENT_TYPES } from '../../../src/contract/event-type.ts';
import { PROBLEM_CODES } from '../../../src/core/catalogue.ts';
import { ARABIC_NAMES } from '../../../src/pages/reference/arabic.ts';
import { listFields } from '../../../src/pages/reference/fields.ts';
import { groupPage, objectsPage } from '../../../src/pages/reference/group-page.ts';
import { groupOperations, listOperations } from '../../../src/pages/reference/operations.ts';
import { search } from '../../../src/pages/reference/search.ts';
import { VERIFICATION_PROGRAMS } from '../../../src/pages/reference/verification.ts';
import { llmsText } from '../../../src/pages/site/llms.ts';
import { referencePage } from '../../../src/pages/site/reference-page.ts';
import { searchIndex } from '../../../src/pages/site/search-index.ts';
import { siteText } from '../../../src/pages/text.ts';
import { expectPlainDocument } from '../../support/expect-plain-document.ts';
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

describe('the operations of a document', () => {
  it('are all found with their scopes', () => {
    expect(operations.map(({ anchor, method, path, access }) => [anchor, method, path, access])).toEqual([
      ['shipments-list', 'GET', '/v2/shipments', ['shipments:read']],
      ['shipments-create', 'POST', '/v2/shipments', ['shipments:write', 'session']],
      ['put-v2-shipments-shipmentid-notes-note', 'PUT', '/v2/shipments/{shipmentId}/notes/{note}', ['shipments:read']],
      ['oauth-token', 'POST', '/oauth/token', []],
    ]);
  });

  it('are grouped by tag, without unused tags', () => {
    expect(groupOperations(document).map((group) => [group.tag, group.operations.length])).toEqual([
      ['Shipments', 2],
      ['Other', 1],
      ['OAuth', 1],
    ]);
  });

  it('have the problem codes of each status', () => {
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
  it('are listed with their nested fields', () => {
    const fields = listFields(document, { $ref: '#/components/schemas/New' });
    expect(fields.map(({ path, type, isRequired, rules }) => [path, type, isRequired, rules])).toEqual([
      ['externalReference', 'string', true, ['length 1..128']],
      ['items', 'array of object', true, ['entries >= 1']],
      ['items[].quantity', 'integer', true, ['value >= 1']],
      ['items[].weight', 'number', false, ['fraction digits <= 6']],
      ['comment', 'string or null', false, ['length <= 240']],
    ]);
  });

  it('are finite when an object refers to itself', () => {
    expect(listFields(document, { $ref: '#/components/schemas/Shipment' }).length).toBeLessThan(20);
  });
});

describe.each(['en', 'ar'] as const)('the first page of the reference in %s', (locale) => {
  const page = referencePage({ document, locale, baseUrl, edges, readText });

  it('is a plain document', () => {
    expectPlainDocument(page, locale);
  });

  it('links every operation to its description', () => {
    for (const group of groupOperations(document)) {
      for (const { anchor, path } of group.operations) {
        expect(page).toContain(`<li id="${anchor}">`);
        expect(page).toContain(`href="/docs/${group.slug}?lang=${locale}#${anchor}"`);
        expect(page).toContain(`<code>${path}</code>`);
      }
    }
  });

  it('begins with what merchants can do, and needs a copy of the repository only after the steps in the sandbox', () => {
    const places = ['id="what-you-can-do"', 'id="first-shipment"', 'id="in-sandbox"', 'id="own-machine"'];
    const found = places.map((place) => page.indexOf(place));
    expect(found[0]).toBeGreaterThan(0);
    expect(found).toEqual(found.toSorted((left, right) => left - right));
    expect(page.indexOf('npm ci')).toBeGreaterThan(found.at(-1) ?? 0);
  });

  it('has the anchors that other pages and llms.txt link to', () => {
    for (const anchor of [
      'first-shipment',
      'client',
      'webhooks',
      'webhook-verification',
      'events',
      'errors',
      'lifecycle',
    ])
      expect(page).toContain(` id="${anchor}"`);
  });

  it('draws every change of state and lists it with its event', () => {
    for (const { from, to } of edges) expect(page).toContain(`<title>${from} → ${to}: `);
    expect(page.match(/<rect /g)).toHaveLength(4);
    expect(page.match(/<dd><bdi dir="ltr">→ /g)).toHaveLength(edges.length);
    expect(page).toContain('delivered &lt;at last&gt;');
    expect(page).not.toContain('NaN');
  });

  it('shows the verification of webhooks in five languages, and every event type', () => {
    for (const { language } of VERIFICATION_PROGRAMS)
      expect(page).toContain(`<bdi dir="ltr">${language}</bdi></summary>`);
    for (const type of EVENT_TYPES) expect(page).toContain(`<code>${type}</code>`);
  });
});

describe.each(['en', 'ar'] as const)('the page of a group in %s', (locale) => {
  const page = groupPage({ document, locale, baseUrl, readText }, 'shipments');

  it('is a plain document', () => {
    expectPlainDocument(page, locale);
    expectPlainDocument(groupPage({ document, locale, baseUrl, readText }, 'other'), locale);
  });

  it('describes its operations with samples in five languages', () => {
    for (const { anchor } of operations.filter(({ tag }) => tag === 'Shipments')) {
      expect(page).toContain(`<h2 id="${anchor}">`);
      expect(page).toContain(`href="#${anchor}"`);
      expect(page.split(`<details name="${anchor}-samples"`)).toHaveLength(6);
    }
  });

  it('shows what is between backticks as code', () => {
    expect(page).toContain('In <code>kilograms</code>.');
  });

  it('escapes the texts of the document', () => {
    expect(page).toContain('Your own &lt;number&gt;.');
    expect(page).not.toContain('<b>now</b>');
  });

  it('links codes with a page, and objects', () => {
    expect(page).toContain(`<a href="/problems/invalid-cursor?lang=${locale}">`);
    expect(page).not.toContain('/problems/not-a-code');
    expect(page).toContain(`<a href="/docs/objects?lang=${locale}#object-shipment">`);
    expect(objectsPage({ document, locale, baseUrl, readText })).toContain('<h2 id="object-shipment">');
  });
});

it('has every purpose and group of the document in Arabic', () => {
  const groups = groupOperations(openApiDocument);
  const names = Object.keys(siteText({ readText, locale: 'ar' }, ARABIC_NAMES).words);
  const ofGroups = groups.flatMap(({ tag }) => [tag, `${tag} description`]);
  const ids = groups.flatMap((group) => group.operations.map(({ id = '' }) => id));
  expect(names.toSorted()).toEqual([...ofGroups, ...ids].toSorted());
});

it('describes the objects in a plain document', () => {
  expectPlainDocument(objectsPage({ document: openApiDocument, locale: 'ar', baseUrl, readText }), 'ar');
});

describe('a reference without edges', () => {
  it('is still a document', () => {
    expectPlainDocument(referencePage({ document, locale: 'en', baseUrl, edges: [], readText }), 'en');
  });
});

describe('llms.txt', () => {
  const text = llmsText({ document, baseUrl, locale: 'en', readText });

  it('starts with a title and a summary of one line each', () => {
    expect(text.startsWith('# Sample <service>\n\n> Moves parcels.\n\n')).toBe(true);
  });

  it('has every operation with method, path, scope and purpose under its group', () => {
    expect(text).toContain(`### [Shipments](https://sandbox.example/docs/shipments)

- \`GET /v2/shipments\` (shipments:read): List shipments
- \`POST /v2/shipments\` (shipments:write or session): Create a shipment <b>now</b>

### [Other](https://sandbox.example/docs/other)

- \`PUT /v2/shipments/{shipmentId}/notes/{note}\` (shipments:read): Write a note
`);
    expect(text).toContain('(no authentication): Get a token');
  });

  it('has every event type and every code', () => {
    for (const word of [...EVENT_TYPES, ...PROBLEM_CODES]) expect(text).toContain(`\`${word}\``);
  });

  it.each(['Idempotency-Key', 'Decimals', 'Cursors', 'If-Match', 'problem+json', 'Standard Webhooks'])(
    'explains %s',
    (word) => {
      expect(text).toContain(word);
    },
  );
});

describe('the search', () => {
  const first = (locale: 'en' | 'ar', question: string) =>
    search(searchIndex({ document: openApiDocument, locale, baseUrl, readText }), question)[0];

  it.each([
    ['en', 'create a SHIPMENT', '/docs/shipments?lang=en#shipments-create'],
    ['en', 'shipments.cancel', '/docs/shipments?lang=en#shipments-cancel'],
    ['en', 'POST webhook-endpoints', '/docs/webhooks?lang=en#webhookendpoints-create'],
    ['en', 'timeouts', '/docs/retries?lang=en'],
    ['en', 'rate limited', '/problems/rate-limited?lang=en'],
    ['en', 'signature', '/docs?lang=en#webhooks'],
    ['en', '429', '/problems/rate-limited?lang=en'],
    ['ar', 'create a shipment', '/docs/shipments?lang=ar#shipments-create'],
    ['ar', 'المُهل', '/docs/retries?lang=ar'],
    ['ar', 'الغاء شحنه', '/docs/shipments?lang=ar#shipments-cancel'],
  ] as const)('in %s finds "%s"', (locale, question, address) => {
    expect(first(locale, question)?.address).toBe(address);
  });

  const all = (locale: 'en' | 'ar', question: string) =>
    search(searchIndex({ document: openApiDocument, locale, baseUrl, readText }), question).map(
      ({ address }) => address,
    );

  it('finds texts and fields, and whole words before longer ones that start with them', () => {
    expect(all('en', 'externalReference')).toContain('/docs/shipments?lang=en#shipments-create');
    expect(all('en', 'duplicate')).toEqual(['/docs/glossary?lang=en#words']);
    expect(all('en', 'time zone')).toContain('/docs/glossary?lang=en#words');
    expect(all('ar', 'توقيع')).toContain('/docs?lang=ar#webhooks');
    // The second address is that of “Send another code”.
    const [create, resend] = [
      'shipments?lang=en#shipments-create',
      'registration?lang=en#registrations-requestverification',
    ];
    const found = all('en', 'COD').filter((address) => [`/docs/${create}`, `/docs/${resend}`].includes(address));
    expect(found[0]).toBe(`/docs/${create}`);
    expect(all('en', 'ipment')).toEqual([]);
  });

  it.each(['en', 'ar'] as const)('has an index in %s that is at most 60 kB when compressed', (locale) => {
    const index = JSON.stringify(searchIndex({ document: openApiDocument, locale, baseUrl, readText }));
    expect(gzipSync(index).byteLength).toBeLessThan(60_000);
  });

  it('finds nothing for an empty question or for words that are nowhere together', () => {
    expect([first('en', '  '), first('en', 'shipment xylophone')]).toEqual([undefined, undefined]);
  });
});
