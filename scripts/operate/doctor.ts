import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { openDatabase } from '../../db/database.ts';
import { causeOf } from '../../src/core/error-cause.ts';
import { noDocuments, noMetrics } from '../../src/providers/absent.ts';
import { chooseAddresses } from '../../src/providers/addresses/choose-addresses.ts';
import type { ProviderPlatform } from '../../src/providers/guarded-call.ts';
import { ProviderReports } from '../../src/providers/provider-reports.ts';
import { chooseRouting } from '../../src/providers/routing/osrm.ts';
import { s3Documents } from '../../src/providers/s3-documents.ts';
import { monotonicMs, SystemClock, systemRandom } from '../../src/providers/system.ts';
import {
  type CheckedServices,
  checkAddresses,
  checkContact,
  checkDatabases,
  checkKeys,
  checkProviders,
  type Finding,
  fault,
  well,
} from '../../src/service/checks.ts';
import { type Config, type DatabaseAddress, parseConfig } from '../../src/service/config.ts';
import { openCommitter } from '../../src/service/database-writer-core.ts';
import { environmentFaults } from '../../src/service/environment.ts';
import { isCommand, runTool } from '../shared/command.ts';
import { deploymentFaults, readVariables, type Variables } from '../shared/deployment-variables.ts';

const USAGE = `Checks a deployment, and prints one line for each check with what to do.

  npm run doctor [-- FILE] [--json] [--accept-keys]
  npm run check:deployment -- FILE      the same for the variables of a Worker, as wrangler gets them

Without FILE it checks the variables of this shell. It writes one file to the bucket and removes it, asks for one route, looks up
one short address and one text if ADDRESSES has their sources, and sends no message. --accept-keys accepts that keys are missing which values need, and that these become unreadable.
The exit code is 1 if there is a fault. No line has a value of a variable.`;

export interface DoctorOptions {
  readonly variables: Variables;
  readonly runtime: 'deno' | 'workers';
  readonly mayLoseKeys: boolean;
}

/** All findings. If a variable is not valid, nothing else can be checked. */
export async function examine({ variables, runtime, mayLoseKeys }: DoctorOptions): Promise<Finding[]> {
  const faults = runtime === 'workers' ? deploymentFaults(variables) : environmentFaults(variables, runtime);
  if (faults.length > 0) return faults.map((text) => fault('variables', text, 'Correct it in the environment file'));
  const config = parseConfig(variables, runtime);
  const folder = config.documents !== undefined && 'folder' in config.documents ? config.documents.folder : undefined;
  const causes = new Map<string, string>();
  const services = servicesOf(config, causes);
  const databases = await checkDatabases(services, (id) => causes.get(id) ?? 'none in time');
  const canAskKeys = databases.every(({ isFault, check }) => !isFault || check === 'database logs');
  return [
    well('variables', 'all valid'),
    ...checkContact(config),
    ...databases,
    ...(canAskKeys ? await checkKeys(services, mayLoseKeys ? 'accept' : 'ask') : []),
    ...(await checkProviders(services, fetch)).filter(({ check }) => folder === undefined || check !== 'documents'),
    ...(await checkAddresses(chooseAddresses(config, providerPlatform()))),
    ...(folder === undefined ? [] : [await checkFolder(folder)]),
    await checkOutside(config, runtime),
    ...(runtime === 'deno' ? checkFiles() : []),
  ];
}

function providerPlatform(): ProviderPlatform {
  return {
    fetch: (url, init) => fetch(url, init),
    monotonicMs,
    metrics: noMetrics,
    providerReports: new ProviderReports(monotonicMs),
  };
}

function servicesOf(config: Config, causes: Map<string, string>): CheckedServices {
  const provider = providerPlatform();
  const clock = new SystemClock();
  const storeOf = (address: DatabaseAddress) => {
    const send = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init).catch((error: unknown) => {
        causes.set(address.id, causeOf(error));
        throw error;
      });
      if (!response.ok) causes.set(address.id, `HTTP ${response.status}`);
      return response;
    };
    const report = () => undefined;
    const requireDurable = config.durability === 'strong';
    return {
      database: openDatabase({ ...address, fetch: send, monotonicMs, report }),
      writer: openCommitter({ address, requireDurable, fetch: send, monotonicMs, report, metrics: noMetrics }),
    };
  };
  const { documents } = config;
  return {
    config,
    clock,
    random: systemRandom,
    directory: storeOf(config.directory),
    shards: new Map(config.shards.map((address) => [address.id, storeOf(address)])),
    requestLog: config.logs === undefined ? undefined : storeOf(config.logs),
    documents:
      documents !== undefined && 'url' in documents ? s3Documents(documents, { ...provider, clock }) : noDocuments,
    routing: chooseRouting(config, provider),
  };
}

/** The folder is that of the service, so the user of this command must be its user. */
async function checkFolder(folder: string): Promise<Finding> {
  const path = join(folder, `doctor-${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(path, 'A file of npm run doctor', { flag: 'wx', mode: 0o600 });
    await rm(path);
    return well('documents', 'the folder takes and deletes a file');
  } catch (error) {
    return fault(
      'documents',
      `the folder takes no file (${causeOf(error)})`,
      'Give the folder to the user of the service',
    );
  }
}

const readiness = z.object({ deployment: z.string(), status: z.string(), forwardedEntries: z.number().optional() });
const OUTSIDE_TIMEOUT_MS = 10_000;

/** Whether the base address leads to this deployment, through as many proxies as PROXIES says. */
async function checkOutside({ baseUrl, deployment, proxies }: Config, runtime: 'deno' | 'workers'): Promise<Finding> {
  const check = 'base address';
  try {
    const response = await fetch(`${baseUrl}/ready`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(OUTSIDE_TIMEOUT_MS),
    });
    const answer = readiness.safeParse(await response.json().catch(() => undefined));
    if (!answer.success)
      return fault(
        check,
        `another program answers there (${response.status})`,
        'Correct BASE_URL, or let the proxy pass requests to the service',
      );
    if (answer.data.deployment !== deployment)
      return fault(check, `the deployment ${answer.data.deployment} answers there`, 'Correct BASE_URL or DEPLOYMENT');
    const arrived = answer.data.forwardedEntries ?? 0;
    if (runtime === 'deno' && arrived !== proxies)
      return fault(
        check,
        `PROXIES is ${proxies}, and ${arrived} entries of X-Forwarded-For arrive`,
        `Set PROXIES=${arrived} if each of them is your own proxy, or let each proxy append to X-Forwarded-For`,
      );
    return well(check, `the service answers, ${answer.data.status}`);
  } catch (error) {
    return fault(check, `no answer: ${causeOf(error)}`, adviceOf(causeOf(error)));
  }
}

function adviceOf(cause: string): string {
  if (/CERT|certificate/i.test(cause)) return 'Renew the certificate of BASE_URL, or complete its chain';
  if (/ENOTFOUND|EAI_AGAIN/.test(cause)) return 'Create the DNS name of BASE_URL, or correct it';
  return 'Start the service and its proxy, and open the port';
}

/** As many as nginx.conf may open, and as docs/deploy.md says. */
const FILES_MIN = 4096;

function checkFiles(): Finding[] {
  let limits: string;
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return [];
  }
  const files = /^Max open files\s+(\S+)/m.exec(limits)?.[1] ?? 'unlimited';
  const isEnough = files === 'unlimited' || Number(files) >= FILES_MIN;
  if (isEnough) return [well('open files', files)];
  return [
    fault(
      'open files',
      `only ${files} are allowed`,
      `Start the service after ulimit -n ${FILES_MIN} (systemd: LimitNOFILE=${FILES_MIN})`,
    ),
  ];
}

/** One line for each finding, with the mend at its end. */
function tableOf(findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings.map(
    ({ check, isFault, found, mend }) =>
      `${isFault ? 'FAULT' : 'ok   '}  ${check.padEnd(width)}  ${found}${mend === '' ? '' : `. ${mend}.`}`,
  );
}

if (isCommand(import.meta.filename))
  await runTool({
    usage: USAGE,
    readPlan() {
      const flag = { type: 'boolean', default: false } as const;
      const options = { json: flag, workers: flag, help: flag, 'accept-keys': flag };
      const { values, positionals } = parseArgs({ options, allowPositionals: true });
      const [file] = positionals;
      if (values.help || (values.workers && file === undefined)) return undefined;
      const own = Object.entries(process.env).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      );
      return {
        isJson: values.json,
        runtime: values.workers ? ('workers' as const) : ('deno' as const),
        mayLoseKeys: values['accept-keys'],
        variables: file === undefined ? Object.fromEntries(own) : readVariables(file),
      };
    },
    async run({ isJson, ...options }) {
      const findings = await examine(options);
      if (isJson) console.log(JSON.stringify(findings, undefined, 2));
      else for (const line of tableOf(findings)) console.log(line);
      return findings.every(({ isFault }) => !isFault);
    },
  });
