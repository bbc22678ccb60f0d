import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { exactly } from '../../scripts/shared/shipments.ts';
import { columnsOfList } from '../../src/http/rest/columns.ts';
import { OPERATIONS } from '../../src/http/rest/routes.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/* Lists for spreadsheets. The rules of single cells are in test/unit/core/csv.test.ts. */

const environment = sharedEnvironment();
const company = await addCompany(environment);
// Nothing is approved by itself, so the shipments do not change.
await setApprovalPolicy(environment, company, 'MANUAL');
const merchant = await merchantOf(environment, company);
const CSV = { accept: 'text/csv' };

const formula = await merchant.create({
  externalReference: '=HYPERLINK("https://evil.example")',
  recipient: { name: 'نورة, "Noura"', phone: '0512345678' },
  declaredValue: exactly('12345678901234567.89'),
});
/** Where lists are separated by semicolons, the second part is a cell of its own. */
const plain = await merchant.create({ externalReference: 'plain-1;=1+1' });

/** Cells of each line. The tests have no line ends in cells. */
function rowsIn(text: string): string[][] {
  const lines = text.split('\r\n');
  expect(lines.at(-1)).toBe('');
  return lines
    .slice(0, -1)
    .map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)])
    .map((cells) => cells.map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? ''));
}

describe('the list of shipments as CSV', () => {
  it('has a header and a row for each shipment, with every digit and no formula', async () => {
    const response = await merchant.get(SHIPMENTS, CSV);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
    ]);
    expect(response.headers.get('vary')).toContain('Accept,');
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [header = [], ...rows] = rowsIn(new TextDecoder().decode(bytes));
    const records = rows.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index]])));
    expect(records).toHaveLength(2);
    expect(records[0]).toMatchObject({
      shipmentId: plain.shipmentId,
      externalReference: "plain-1;'=1+1",
      approvedAt: '',
    });
    expect(records[1]).toMatchObject({
      shipmentId: formula.shipmentId,
      externalReference: '\'=HYPERLINK("https://evil.example")',
      recipientName: 'نورة, "Noura"',
      declaredValue: '12345678901234567.89',
      'destination.cityCode': 'JED',
      'destination.latitude': '21.5',
      items: '[{"description":"Coffee beans","quantity":2,"weightKilograms":1.25}]',
    });
  });

  it('links to the next page with the same filters', async () => {
    const first = await merchant.get(`${SHIPMENTS}?limit=1&state=PENDING_APPROVAL,OFFERED`, CSV);
    const link = /^<(\/[^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await merchant.get(link, CSV);
    expect(second.headers.get('link')).toBeNull();
    const [one, two] = [rowsIn(await first.text()), rowsIn(await second.text())];
    expect(one[0]).toEqual(two[0]);
    expect([one[1]?.[0], two[1]?.[0]]).toEqual([plain.shipmentId, formula.shipmentId]);
  });

  it('has only its header when nothing is found, and no body for HEAD', async () => {
    const empty = await (await merchant.get(`${SHIPMENTS}?q=nobody`, CSV)).text();
    expect(rowsIn(empty)).toHaveLength(1);
    const authorization = `Bearer ${await environment.token(company)}`;
    const head = await environment.fetch(SHIPMENTS, { method: 'HEAD', headers: { authorization, ...CSV } });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-type')).toContain('text/csv');
  });

  it('is JSON unless CSV is preferred, and its problems are JSON', async () => {
    for (const accept of ['*/*', 'text/csv;q=0.5, application/json', 'application/json, text/csv']) {
      const response = await merchant.get(SHIPMENTS, { accept });
      expect(response.headers.get('content-type')).toBe('application/json');
    }
    const refused = await merchant.get(`${SHIPMENTS}?limit=0`, CSV);
    await expectProblem(refused, { status: 400, code: 'LIMIT_OUT_OF_RANGE', violations: ['limit OUT_OF_RANGE'] });
    const one = await merchant.get(`${SHIPMENTS}/${plain.shipmentId}`, CSV);
    await expectProblem(one, { status: 406, code: 'NOT_ACCEPTABLE' });
  });
});

const PAGED = OPERATIONS.filter(({ output, path }) => columnsOfList(output) !== undefined && !path.includes('{'));
it.each(PAGED.filter(({ meta }) => meta.scope !== undefined && meta.scope !== 'operations').map(({ path }) => [path]))(
  'GET %s answers CSV with columns',
  async (path) => {
    const range = path.endsWith('/cod-collections') ? '?from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z' : '';
    const response = await merchant.get(`${path}${range}`, CSV);
    expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'text/csv']);
    expect(rowsIn(await response.text())[0]?.length).toBeGreaterThan(1);
  },
);
