import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildClient } from '../../scripts/build/client.ts';
import { type OwnEnvironment, startEnvironment } from '../../scripts/shared/environment.ts';
import { shipmentBody } from '../../scripts/shared/shipments.ts';
import { FAULTS, FaultyPath } from '../support/faulty-path.ts';

/* Every client that can run here, on a path that breaks the first attempt of each order in another way. */

const ROOT = resolve(import.meta.dirname, '../..');
const MODULES = join(ROOT, 'node_modules');
const ATTEMPTS_MAX = 4;
const CALL_SECONDS_MAX = 30;
let environment: OwnEnvironment;
let path: FaultyPath;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mirsal-faults-'));
  const client = await buildClient();
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  await execa('mkdir', ['-p', join(folder, 'node_modules')]);
  await execa('cp', ['-r', client, join(folder, 'node_modules', 'mirsal-client')]);
  await execa('ln', ['-s', join(MODULES, '@trpc'), join(folder, 'node_modules', '@trpc')]);
  writeFileSync(join(folder, 'orders.mjs'), TYPED);
  writeFileSync(join(folder, 'rest.mjs'), REST);
  writeFileSync(join(folder, 'orders.py'), PYTHON);
  writeFileSync(join(folder, 'mirsal.py'), readFileSync(join(ROOT, 'docs/clients/mirsal.py')));
  environment = await startEnvironment('worker');
  path = new FaultyPath(environment.address);
  await path.start();
}, 120_000);

afterAll(async () => {
  await path?.stop();
  await environment?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const READ =
  "import { readFileSync } from 'node:fs';\nconst { connection, orders } = JSON.parse(readFileSync(process.argv[2], 'utf8'));\n";
const EACH = (create: string) => `
const ends = [];
for (const order of orders) {
  const startedMs = performance.now();
  const end = await ${create}.then((id) => ({ id }), (error) => ({ error: String(error), outcome: error.outcome }));
  ends.push({ ...end, seconds: (performance.now() - startedMs) / 1000 });
}
console.log(JSON.stringify(ends));
`;
const TYPED = `import { createMirsalClient } from 'mirsal-client';\n${READ}const client = createMirsalClient(connection);
const text = (order) => JSON.parse(JSON.stringify(order), (name, value) => typeof value === 'number' && name !== 'quantity' ? String(value) : value);
${EACH('client.shipments.create.mutate(text(order)).then(({ shipmentId }) => shipmentId)')}`;
const REST = `import { createMirsalRest } from 'mirsal-client/rest';\n${READ}const rest = createMirsalRest(connection);
${EACH("rest('POST', '/v2/external/shipments', { body: order }).then(({ body }) => body.shipmentId)")}`;
const PYTHON = `
import decimal, json, sys, time, uuid
from mirsal import Mirsal, MirsalError
given = json.load(open(sys.argv[1]), parse_float=decimal.Decimal)
client = Mirsal(given["connection"]["baseUrl"], given["connection"]["clientId"], given["connection"]["clientSecret"])
ends = []
for order in given["orders"]:
    started = time.monotonic()
    try:
        end = {"id": client.create_shipment(order, uuid.uuid4().hex)["shipmentId"]}
    except MirsalError as error:
        end = {"error": str(error)}
    ends.append({**end, "seconds": time.monotonic() - started})
print(json.dumps(ends))
`;

/** The Node of the system, which may be older than the one of this repository. */
const SYSTEM_PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((part) => !part.includes('node_modules') && !part.includes('node-gyp-bin'))
  .join(delimiter);
const DENO = [
  'run',
  '--allow-net=127.0.0.1',
  '--allow-read',
  '--allow-env',
  '--no-prompt',
  '--no-lock',
  '--node-modules-dir=manual',
];

interface End {
  readonly id?: string;
  readonly error?: string;
  readonly seconds: number;
}

describe.each([
  ['the typed client on the system’s Node', 'node', ['orders.mjs'], { PATH: SYSTEM_PATH }],
  ['the typed client on the repository’s Node', process.execPath, ['orders.mjs'], {}],
  ['the typed client on Deno', join(MODULES, '.bin', 'deno'), [...DENO, 'orders.mjs'], {}],
  ['the REST client on the repository’s Node', process.execPath, ['rest.mjs'], {}],
  // Without Bun on the machine its row is skipped.
  ['the typed client on Bun', 'bun', ['orders.mjs'], {}],
  ['Python', 'python3', ['orders.py'], {}],
] as const)('%s', (name, program, args, env) => {
  it.skipIf(program === 'bun' && spawnSync('bun', ['--version']).error !== undefined)(
    'makes each order once',
    async () => {
      const [company] = environment.companies;
      const faults = Object.keys(FAULTS);
      const orders = faults.map((fault, index) => {
        const externalReference = `${name.replaceAll(/[^A-Za-z]/g, '')}-${index}`;
        path.plan(externalReference, fault);
        return shipmentBody(company, { externalReference });
      });
      const { clientId, clientSecret } = company;
      const given = { connection: { baseUrl: path.address, clientId, clientSecret }, orders };
      writeFileSync(join(folder, 'given.json'), JSON.stringify(given));
      const options = { cwd: folder, env: { ...env, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' } };
      const { stdout } = await execa(program, [...args, 'given.json'], options);
      const ends = JSON.parse(stdout) as End[];
      const token = await environment.token(company);
      for (const [index, fault] of faults.entries()) {
        const reference = String(orders[index]?.['externalReference']);
        const found = await environment.fetch(`/v2/external/shipments?externalReference=${reference}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        const { data } = (await found.json()) as { data: { shipmentId: string }[] };
        const { id, error, seconds } = ends[index] ?? { seconds: Number.NaN };
        expect({ fault, error, ids: data.map(({ shipmentId }) => shipmentId) }).toEqual({
          fault,
          error: undefined,
          ids: [id],
        });
        expect(path.arrived.get(reference), fault).toBeLessThanOrEqual(ATTEMPTS_MAX);
        expect(seconds, fault).toBeLessThan(CALL_SECONDS_MAX);
      }
    },
  );
});
