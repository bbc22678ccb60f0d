import { delimiter, dirname } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BASE_URL } from '../../scripts/shared/connection.ts';
import { CLIENT_FILES, POSTMAN_COLLECTION } from '../../src/http/web/asset-paths.ts';
import { STARTERS } from '../../src/pages/guides/clients.ts';
import { newMerchant } from '../support/exercises/scene.ts';
import { missingFor } from '../support/languages.ts';
import { newSampleFolder, runShell } from '../support/samples.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/* The guide /docs/clients, by a merchant who has an empty folder and a credential for a sandbox. */

const environment = sharedEnvironment();
const folder = newSampleFolder();
afterAll(() => folder.remove());

/** The command for C# needs a newer SDK than its program, so only the tests of units run it. */
const LANGUAGES = ['Python', 'PHP', 'Go', 'TypeScript'] as const;

test.for(LANGUAGES)(
  'the commands of the guide for %s lead to a delivered shipment',
  { timeout: 120_000 },
  async (language, { skip }) => {
    const missing = missingFor(language);
    skip(missing !== undefined, missing);
    const merchant = await newMerchant(environment);
    const { clientId, clientSecret } = merchant.company;
    // The Node that runs the tests, because another one may come first.
    const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);
    const variables = { PATH, MIRSAL_CLIENT_ID: clientId, MIRSAL_CLIENT_SECRET: clientSecret };
    const commands = await commandsOfGuide(language);
    const { exitCode, errors, output } = await runShell(commands, variables, { ...folder, timeoutMs: 100_000 });
    expect({ exitCode, errors: errors.replace(/^status 200\n/, '') }).toEqual({ exitCode: 0, errors: '' });
    expect(output).toMatch(
      /^The delivery costs [\d.]+ SAR with VAT\.\nCreated SHP-\w+ \([\w-]+\)\.\n(?:[A-Z_]+\n)*DELIVERED\n$/,
    );
    const list = await merchant.get('/v2/external/shipments');
    expect(await list.json()).toMatchObject({ data: [{ state: 'DELIVERED', declaredValue: 180.5 }] });
  },
);

test.each(CLIENT_FILES)('%s can be downloaded, with a tag', async (name) => {
  const type = name === POSTMAN_COLLECTION ? 'application/json' : 'text/plain; charset=utf-8';
  const file = await environment.fetch(`/clients/${name}`);
  expect([file.status, file.headers.get('content-type')]).toEqual([200, type]);
  const tag = file.headers.get('etag') ?? '';
  const again = await environment.fetch(`/clients/${name}`, { headers: { 'if-none-match': tag } });
  expect([again.status, (await file.text()).length > 100]).toEqual([304, true]);
});

test('another name is 404', async () => {
  expect((await environment.fetch('/clients/README.md')).status).toBe(404);
});

/** What the page shows for a language, with the address that this test can reach. */
async function commandsOfGuide(language: string): Promise<string> {
  const file = STARTERS.find((starter) => starter.language === language)?.file ?? '';
  const page = await (await environment.fetch('/docs/clients?lang=en')).text();
  const shown = page.split('<pre ').find((block) => block.includes(`/clients/${file}\n`)) ?? '';
  const commands = /<code>([^<]*)<\/code>/.exec(shown)?.[1] ?? '';
  // The folder has the client's package already, because tests install nothing from a registry.
  return commands.replaceAll(BASE_URL, environment.address).replace(/npm install .*\n/, '');
}
