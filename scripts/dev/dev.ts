import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { killLiveGroups } from '../shared/child-group.ts';
import { failWith, isCommand } from '../shared/command.ts';
import { keepDatabase, type LocalDatabase } from '../shared/local-database.ts';
import {
  credentialKeyOf,
  type LocalSecrets,
  linkVariables,
  readDemo,
  readOrMakeSecrets,
  writeDemo,
  writeVariables,
} from '../shared/local-files.ts';
import { describeShipments, runCron, startLocalService } from '../shared/local-service.ts';
import { choosePorts, freePort, isPortFree, LOOPBACK } from '../shared/ports.ts';
import type { Runtime } from '../shared/service.ts';
import { SetupError } from '../shared/setup-error.ts';
import { requireSqldBinary } from '../shared/sqld.ts';
import { claimDataFolder, type DataFolder, emptyDataFolder } from './data-folder.ts';
import { keepMigrated, migrateAll, type StartedDatabases } from './keep-migrated.ts';
import { type Build, keepService, startBuild } from './keep-service.ts';
import { openScreen, type Screen, welcome, withoutApi } from './screen.ts';
import { listenForStop, type StopRequest, StopRequested } from './stop-request.ts';
import { provideStreets } from './streets.ts';
import { type Sources, watchSources } from './watch-sources.ts';

const USAGE = `Runs the whole service on this machine: a directory, shards, sample companies and the API.

  npm run dev -- [--port 8787] [--data .data] [--shards 2] [--fresh] [--databases]
  npm run dev:deno -- [the same]

  --port    port of the API on 127.0.0.1
  --data    data folder; each parallel run needs its own folder and port
  --shards  number of shards, 1 to 9; the folder keeps the shards of earlier runs
  --fresh   empties the data folder first
  --databases  starts all but the Worker, and links .dev.vars to its variables: then plain \`npx wrangler dev\`, with any of
            its own flags, is the same service`;

interface Options {
  readonly port: number;
  readonly data: string;
  readonly shards: number;
  readonly fresh: boolean;
  /** Whether the Worker is left to a `wrangler dev` by hand. */
  readonly databases: boolean;
  readonly runtime: Runtime;
}

/** More than one, so that a query across shards fails on a developer's machine too. */
const SHARDS = 2;

/** Undefined for --help. */
function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8787' },
      data: { type: 'string', default: '.data' },
      shards: { type: 'string', default: String(SHARDS) },
      fresh: { type: 'boolean', default: false },
      databases: { type: 'boolean', default: false },
      runtime: { type: 'string', default: 'worker' },
      help: { type: 'boolean', default: false },
    },
  });
  const { data, fresh, databases, runtime, help } = values;
  if (help) return undefined;
  if (runtime !== 'worker' && runtime !== 'deno') throw new SetupError('--runtime must be worker or deno.');
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : 0;
  if (port < 1 || port > 65_535)
    throw new SetupError(`--port ${values.port} is not a port; use a number from 1 to 65535.`);
  if (!/^[1-9]$/.test(values.shards)) throw new SetupError(`--shards ${values.shards} is not a number of 1 to 9.`);
  return { port, data, shards: Number(values.shards), fresh, databases, runtime };
}

/** The state of one run. Everything that is started is registered here, so that it can be stopped at any moment. */
interface Run extends Omit<Options, 'databases'> {
  readonly isWithoutApi: boolean;
  readonly baseUrl: string;
  readonly screen: Screen;
  readonly stop: StopRequest;
  readonly databases: LocalDatabase[];
  /** Stopped before the databases. */
  readonly first: (() => Promise<void> | void)[];
  /** Called when a required process ended and cannot be restarted. */
  readonly onLost: (error: SetupError) => void;
}

async function runLocally(options: Options): Promise<void> {
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);
  const run: Run = {
    ...options,
    isWithoutApi: options.databases,
    baseUrl: `http://${LOOPBACK}:${options.port}`,
    screen: openScreen((text) => process.stdout.write(text)),
    stop: listenForStop(() => process.exit(0)),
    databases: [],
    first: [],
    onLost: lost.reject,
  };
  let folder: DataFolder | undefined;
  try {
    requireSqldBinary();
    folder = await run.screen.step(`data in ${run.data}`, () => claimDataFolder(run.data, run.screen.note));
    await start(run, folder);
    await Promise.race([run.stop.made, lost.promise]);
  } catch (error) {
    if (!(error instanceof StopRequested)) throw error;
  } finally {
    await stopAll(run);
    folder?.release();
  }
}

async function start(run: Run, folder: DataFolder): Promise<void> {
  const { screen, stop, baseUrl } = run;
  if (!run.isWithoutApi && !(await isPortFree(run.port))) {
    throw new SetupError(`Port ${run.port} is in use; stop the program that listens on it or choose another --port.`);
  }
  if (run.fresh) await screen.step('empty the data folder', () => emptyDataFolder(folder));
  const sources = watchSources();
  run.first.push(sources.close);
  // The build does not need the databases.
  const build = run.isWithoutApi ? undefined : startBuild({ ...run, sources });
  const variablesFile = join(folder.path, '.dev.vars');
  const secrets = await screen.step('secrets', () => readOrMakeSecrets(variablesFile));
  const databases = await startDatabases(run, folder);
  const { directory, shards } = databases;
  const streets = await screen.step('streets', () => provideStreets(run.runtime));
  run.first.push(streets.stop);
  // Saved before anything is encrypted or signed with the secrets.
  const variables = variablesOf(run, { secrets, streetsUrl: streets.url, ...databases });
  writeVariables(variablesFile, variables);
  await screen.step('migrations', () => migrateAll(databases));
  keepMigrated(databases, sources, screen.note).catch(run.onLost);

  const localFile = join(folder.path, 'local.json');
  const demo = await screen.step('sample companies', async () => {
    // Imported late, because drizzle takes most of a second to load.
    const { seed } = await import('../shared/seed.ts');
    const credentialKey = credentialKeyOf(secrets);
    const known = readDemo(localFile);
    return seed({ directoryUrl: directory.url, shards, deployment: 'local', credentialKey, known });
  });
  stop.throwIfMade();
  if (build === undefined) {
    run.first.push(linkVariables(variablesFile, DEV_VARS), runCron(baseUrl));
    writeDemo(localFile, baseUrl, demo);
    process.stdout.write(withoutApi(run.port, localFile));
    return;
  }
  const debuggerPort = await startApi(run, folder, { variables, variablesFile, sources, build });
  writeDemo(localFile, baseUrl, demo);
  const shipments = await stop.orStop(describeShipments(baseUrl));
  process.stdout.write(
    welcome({ baseUrl, debuggerPort, directoryUrl: directory.url, shards, localFile, shipments }, demo),
  );
}

async function startDatabases(run: Run, folder: DataFolder): Promise<StartedDatabases> {
  const ports = await choosePorts(run.port, (2 + run.shards) * 2);
  const startOne = async (id: string, index: number) => {
    run.stop.throwIfMade();
    const [port = 0, adminPort = 0] = ports.slice(index * 2);
    const database = await run.screen.step(`${id} on port ${port}`, () =>
      keepDatabase({
        id,
        folder: join(folder.path, id),
        port,
        adminPort,
        log: run.screen.note,
        onStarted: (pid) => folder.recordChild(`sqld of ${id}`, pid),
        onLost: run.onLost,
      }),
    );
    run.databases.push(database);
    return database;
  };
  const directory = await startOne('directory', 0);
  const shards: LocalDatabase[] = [];
  for (let number = 1; number <= run.shards; number += 1) shards.push(await startOne(`shard-${number}`, number));
  return { directory, shards, logs: await startOne('logs', run.shards + 1) };
}

/** The environment variables of the service. */
function variablesOf(
  run: Run,
  {
    secrets,
    streetsUrl,
    directory,
    shards,
    logs,
  }: StartedDatabases & { readonly secrets: LocalSecrets; readonly streetsUrl: string },
): Record<string, string> {
  const addressOf = ({ url, adminUrl }: LocalDatabase) => ({ url, adminUrl });
  return {
    DEPLOYMENT: 'local',
    BASE_URL: run.baseUrl,
    LIBSQL_DIRECTORY: JSON.stringify(addressOf(directory)),
    LIBSQL_SHARDS: JSON.stringify(shards.map((shard) => ({ id: shard.id, ...addressOf(shard) }))),
    LIBSQL_LOGS: JSON.stringify({ url: logs.url }),
    LIBSQL_DURABILITY: 'strong',
    STREETS_URL: streetsUrl,
    RATE_LIMITS: process.env['RATE_LIMITS'] ?? JSON.stringify(HIGH_LIMITS),
    ...secrets,
  };
}

/** Manual tests and benchmarks do not reach them. To rehearse the limits of a deployment, set RATE_LIMITS. */
const HIGH_LIMITS = Object.fromEntries(
  [
    'reads',
    'writes',
    'estimates',
    'tokens',
    'failures',
    'codes',
    'codesOfAddress',
    'recipientCodes',
    'registrations',
    'secrets',
  ].map((name) => [name, 1_000_000]),
);

interface ApiParts {
  readonly variables: Readonly<Record<string, string>>;
  readonly variablesFile: string;
  readonly sources: Sources;
  readonly build: Build;
}

/** Resolves with the port of the debugger when the API answers. If a source is broken, it waits until that is mended. */
async function startApi(run: Run, folder: DataFolder, { build, ...parts }: ApiParts): Promise<number> {
  const { screen, stop } = run;
  const inspectorPort = (await isPortFree(INSPECTOR_PORT)) ? INSPECTOR_PORT : await freePort();
  const healthy = Promise.withResolvers<true>();
  const broken = Promise.withResolvers<false>();
  let isHealthy = false;
  const kept = keepService(
    {
      ...run,
      ...parts,
      async start() {
        // What a runtime prints while it starts is shown only if it fails.
        isHealthy = false;
        const onLine = (line: string) => (isHealthy && !stop.isMade ? screen.note(line) : undefined);
        const service = await startLocalService({ ...run, ...parts, inspectorPort, dataFolder: folder.path, onLine });
        folder.recordChild('the API', service.pid);
        return service;
      },
      onHealthy(changed) {
        isHealthy = true;
        healthy.resolve(true);
        if (changed !== undefined) screen.note(`reloaded: ${changed} changed`);
      },
      onBroken({ text }) {
        broken.resolve(false);
        for (const line of text.split('\n')) screen.note(line);
        screen.note('Until a source changes, every request is answered 503 with these lines.');
      },
    },
    build,
  );
  run.first.push(kept.stop);
  kept.lost.catch(run.onLost);
  const answer = await screen.step(`API on ${run.runtime === 'worker' ? 'workerd' : 'Deno'}`, () =>
    stop.orStop(Promise.race([healthy.promise, broken.promise, kept.lost])),
  );
  if (!answer) await stop.orStop(Promise.race([healthy.promise, kept.lost]));
  if (run.runtime === 'worker') run.first.push(runCron(run.baseUrl));
  return inspectorPort;
}

/** Where debuggers look, and the port in .vscode/launch.json. A second service takes another. */
const INSPECTOR_PORT = 9229;

/** Where `wrangler dev` looks for variables if it is not told a file. */
const DEV_VARS = resolve(import.meta.dirname, '..', '..', '.dev.vars');

async function stopAll(run: Run): Promise<void> {
  if (run.stop.isMade) process.stdout.write('\nStopping.\n');
  await Promise.all(run.first.map(async (stop) => stop()));
  await Promise.all(run.databases.map((database) => database.stop()));
}

if (isCommand(import.meta.filename)) {
  // However this process ends, except by SIGKILL, its children end with it.
  process.once('exit', killLiveGroups);
  // The terminal may close before the children end.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  try {
    const options = readOptions();
    if (options === undefined) console.log(USAGE);
    else await runLocally(options);
    process.exit(0);
  } catch (error) {
    failWith(error);
  }
}
