import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import * as z from 'zod';
import openApiDocument from '../../docs/openapi.json' with { type: 'json' };
import { writeDemo } from '../../scripts/shared/local-files.ts';
import type { Merchant } from '../../scripts/shared/merchant.ts';
import { readText } from '../../scripts/shared/repository-file.ts';
import { readTimelinePage } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { CREDENTIAL_COMMANDS } from '../../src/pages/guides/clients.ts';
import { curlSample } from '../../src/pages/reference/curl.ts';
import { listOperations } from '../../src/pages/reference/operations.ts';
import { sampleRequest } from '../../src/pages/reference/sample-request.ts';
import { clientSetUp, isOfClient, typeScriptSample } from '../../src/pages/reference/typescript.ts';
import { siteText } from '../../src/pages/text.ts';
import { newMerchant } from '../support/exercises/scene.ts';
import { newSampleFolder, runShell, runTypeScript, type SampleResult, type Variables } from '../support/samples.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/** The first guide of the reference, step by step, by a merchant who has only a credential. */

const environment = sharedEnvironment();
const folder = newSampleFolder();
afterAll(() => folder.remove());

const answer = z.looseObject({ access_token: z.optional(z.string()), shipmentId: z.optional(z.string()) });
const guide = siteText({ readText, locale: 'en' }, 'guides/first-shipment').body;
const steps = [...guide.matchAll(/\{\{samples ([\w.]+)\}\}/g)].map(([, id]) => id);
const requests = steps.map((step) => {
  const operation = listOperations(openApiDocument).find(({ id }) => id === step);
  if (operation === undefined) throw new Error(`The guide has a step ${step} that is no operation`);
  return sampleRequest(openApiDocument, operation, environment.address);
});

it('the credential comes from the file of a local service', async () => {
  const [company] = environment.companies;
  const folderOfService = join(folder.path, '.data');
  mkdirSync(folderOfService);
  const { operator, address } = environment;
  writeDemo(join(folderOfService, 'local.json'), address, { companies: [company], operator });
  const result = await runShell(`${CREDENTIAL_COMMANDS}\necho "$MIRSAL_CLIENT_ID $MIRSAL_CLIENT_SECRET"`, {}, folder);
  expect(result).toMatchObject({ exitCode: 0, output: `${company.clientId} ${company.clientSecret}\n` });
});

it('the steps lead to a delivered shipment with curl', { timeout: 60_000 }, async () => {
  const merchant = await newMerchant(environment);
  let variables = credentialOf(merchant);
  for (const request of requests) {
    const result = await runShell(curlSample(request), variables, folder);
    expectDone(result);
    const { access_token: token, shipmentId } = answer.parse(JSON.parse(result.output));
    if (token !== undefined) variables = { ...variables, MIRSAL_TOKEN: token };
    if (shipmentId !== undefined) variables = { ...variables, SHIPMENT_ID: shipmentId };
  }
  await untilDelivered(merchant, variables['SHIPMENT_ID'] ?? '');
});

it('the steps lead to a delivered shipment as one program', { timeout: 60_000 }, async () => {
  const merchant = await newMerchant(environment);
  const calls = requests.filter(isOfClient).map((request) => `{ ${typeScriptSample(request)} }`);
  // What the guide asks its reader to change by hand.
  const remember =
    'const { data } = await mirsal.shipments.list.query({}); process.env.SHIPMENT_ID = data[0]?.shipmentId;';
  const creation = calls.findIndex((step) => step.includes('shipments.create'));
  const program = [clientSetUp(environment.address), ...calls.toSpliced(creation + 1, 0, `{ ${remember} }`)].join('\n');
  expectDone(await runTypeScript(program, credentialOf(merchant), folder));
  const page = z.object({ data: z.array(z.looseObject({ shipmentId: z.string() })).length(1) });
  const { data } = page.parse(await (await merchant.get('/v2/external/shipments')).json());
  await untilDelivered(merchant, data[0]?.shipmentId ?? '');
});

function credentialOf({ company }: Merchant): Variables {
  return { MIRSAL_CLIENT_ID: company.clientId, MIRSAL_CLIENT_SECRET: company.clientSecret };
}

function expectDone({ exitCode, statuses, errors, output }: SampleResult): void {
  const refused = statuses.filter((status) => status < 200 || status >= 300);
  expect({ exitCode, refused, errors, output }).toMatchObject({ exitCode: 0, refused: [] });
  expect(statuses).not.toEqual([]);
}

/** The guide's scenario takes one step per second. */
async function untilDelivered(merchant: Merchant, shipmentId: string): Promise<void> {
  const isDelivered = async () => {
    const { data } = await readTimelinePage(await merchant.get(`/v2/external/shipments/${shipmentId}/timeline`));
    return data.some(({ type }) => type === 'shipment.delivered') ? true : undefined;
  };
  await until(`${shipmentId} is delivered`, isDelivered, { withinMs: 30_000, everyMs: 200 });
}
