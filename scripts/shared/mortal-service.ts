import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { serviceBundle } from './bundle.ts';
import { freePort, LOOPBACK } from './ports.ts';
import { type MortalService, startDeno } from './service.ts';
import { modulesOf, readWorkerConfig, startWorker } from './workerd.ts';

/*
 * A service that can be killed: the Deno process, or workerd alone with the deployed bundle and a disk for its Durable
 * Objects. After a restart it finds what it had written.
 */

export interface Mortal {
  start(variables: Readonly<Record<string, string>>): Promise<MortalService>;
  /** As above with a new disk, like a machine that takes over from another. */
  startElsewhere(variables: Readonly<Record<string, string>>): Promise<MortalService>;
  /** Kills the service that was started last. */
  kill(): Promise<void>;
  /** Deletes its disks. */
  forget(): void;
}

export async function makeMortal(runtime: 'worker' | 'deno'): Promise<Mortal> {
  const folder = mkdtempSync(join(tmpdir(), 'mirsal-mortal-'));
  const startOn = runtime === 'deno' ? startDeno : await workerdIn(folder);
  let last: MortalService | undefined;
  let disks = 0;
  const start = async (variables: Readonly<Record<string, string>>) => {
    last = await startOn(variables, `mirsal-${disks}`);
    return last;
  };
  return {
    start,
    startElsewhere(variables) {
      disks += 1;
      return start(variables);
    },
    async kill() {
      await last?.kill();
    },
    forget: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Where the bundle's build puts the files of the pages. */
const ASSETS = resolve(import.meta.dirname, '..', '..', 'dist', 'assets');

type StartOn = (variables: Readonly<Record<string, string>>, disk: string) => Promise<MortalService>;

async function workerdIn(folder: string): Promise<StartOn> {
  const service = await serviceBundle();
  const modules = [...modulesOf(service), ...modulesOf(service, '.wasm')];
  const copies = join(folder, 'modules');
  mkdirSync(copies);
  for (const path of modules) copyFileSync(path, join(copies, basename(path)));
  const bundle = join(copies, 'worker.js');
  const { compatibility, durableObjects } = await readWorkerConfig();
  const settings = { folder, bundle, assets: ASSETS, compatibility, durableObjects, v8Flags: [] };
  return async (variables, name) => {
    const logFile = join(folder, `${name}.log`);
    const worker = await startWorker({ ...settings, name, port: await freePort(), variables, logFile });
    return {
      address: `http://${LOOPBACK}:${worker.port}`,
      logs: () => readFileSync(logFile, 'utf8').trimEnd().split('\n'),
      sweep: () => Promise.reject(new Error('workerd alone has no cron')),
      stop: () => worker.stop(),
      kill: () => worker.kill(),
      signal: (name) => worker.signal(name),
    };
  };
}
