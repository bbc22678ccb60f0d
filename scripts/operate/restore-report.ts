import { createReadStream, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { isCommand, runTool } from '../shared/command.ts';
import { SetupError } from '../shared/setup-error.ts';

const USAGE = `Names what a restore lost: every call that the service had confirmed since the backup began, from its log.

  npm run -s restore-report -- --since 2026-11-21T11:00:00Z [FILE ...]

--since is \`beganAt\` of the database in backup.json. Without a FILE the log is read from the standard input. Each line has the time, the
company, what was called, its status and the request id, separated by tabs. Of a call over tRPC with status 207 a part was refused.`;

/** The groups of the report, in its order, and the operations in them. */
const KINDS = {
  created: /\.(?:create\w*|invite\w*|verify|publish|bootstrap)$/,
  rotated: /\.rotate\w*$/,
  revoked: /\.(?:revoke\w*|delete\w*|remove\w*|signOut|end\w*|suspend|withdraw)$/,
  changed: /./,
} as const;
type Kind = keyof typeof KINDS;

/** Nothing is kept of these: they only compute, or give what expires within minutes. */
const KEEPS_NOTHING =
  /^(?:oauth\.token|priceEstimates|priceLocks|nationalAddresses\.(?:lookUp|suggest)|shipmentValidations|driver\.reportPosition|service)\b|\.(?:preview\w*|start(?:Session|SignIn|Elevation)|requestVerification)$/;

const logLine = z.object({
  time: z.string().optional(),
  requestId: z.string(),
  method: z.string(),
  route: z.string(),
  status: z.int(),
  company: z.string().optional(),
  procedures: z.string().optional(),
});

export interface LostCall {
  readonly kind: Kind;
  /** Undefined for a call of nobody's company, such as an operator's. */
  readonly company: string | undefined;
  readonly time: string;
  readonly operation: string;
  readonly status: number;
  readonly requestId: string;
}

/** The confirmed writes of one line of the log at or after an instant. `no_time`: such a line of a version that wrote no time. */
export function lostCallsOf(line: string, sinceMs: number): LostCall[] | 'no_time' {
  const { data } = logLine.safeParse(jsonOf(line));
  if (data === undefined || data.method === 'GET' || data.method === 'HEAD' || data.status >= 300) return [];
  const { time, company, status, requestId } = data;
  const operations = (data.procedures?.split(',') ?? [operationOf(data.method, data.route)]).filter(
    (operation) => !KEEPS_NOTHING.test(operation),
  );
  if (operations.length === 0) return [];
  if (time === undefined) return 'no_time';
  if (!(Date.parse(time) >= sinceMs)) return [];
  return operations.map((operation) => ({ kind: kindOf(operation), company, time, operation, status, requestId }));
}

const kindOf = (operation: string): Kind =>
  (Object.keys(KINDS) as Kind[]).find((kind) => KINDS[kind].test(operation)) ?? 'changed';

/** Collectors of logs write something before a line, such as the time and the unit. */
function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line.slice(line.indexOf('{')));
  } catch {
    return undefined;
  }
}

const DOCUMENT = resolve(import.meta.dirname, '..', '..', 'docs', 'openapi.json');
const documented = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string().optional() }).or(z.unknown()))),
});
let operations: ReadonlyMap<string, string> | undefined;

/** `shipments.create`, as over tRPC, or method and route if the document does not have them. */
function operationOf(method: string, route: string): string {
  operations ??= readOperations();
  return operations.get(`${method} ${route}`) ?? `${method} ${route}`;
}

function readOperations(): Map<string, string> {
  const { paths } = documented.parse(JSON.parse(readFileSync(DOCUMENT, 'utf8')));
  const found = new Map<string, string>();
  for (const [route, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const { data } = z.object({ operationId: z.string() }).safeParse(operation);
      if (data !== undefined) found.set(`${method.toUpperCase()} ${route}`, data.operationId);
    }
  }
  return found;
}

interface Plan {
  readonly sinceMs: number;
  readonly files: readonly string[];
}

function readPlan(): Plan | undefined {
  const { values, positionals } = parseArgs({ options: { since: { type: 'string' } }, allowPositionals: true });
  if (values.since === undefined) return undefined;
  const sinceMs = Date.parse(values.since);
  if (Number.isNaN(sinceMs)) throw new SetupError(`--since ${values.since} is not an instant.`);
  return { sinceMs, files: positionals };
}

async function report({ sinceMs, files }: Plan): Promise<boolean> {
  const calls: LostCall[] = [];
  let withoutTime = 0;
  const inputs = files.length === 0 ? [process.stdin] : files.map((file) => createReadStream(file));
  for (const input of inputs) {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const lost = lostCallsOf(line, sinceMs);
      if (lost === 'no_time') withoutTime += 1;
      else calls.push(...lost);
    }
  }
  for (const kind of Object.keys(KINDS)) {
    const ofKind = calls.filter((call) => call.kind === kind);
    const companies = new Set(ofKind.map(({ company }) => company)).size;
    console.log(`# ${kind}: ${ofKind.length} calls, ${companies} companies`);
    for (const { time, company = '-', operation, status, requestId } of ofKind)
      console.log([time, company, operation, status, requestId].join('\t'));
  }
  if (withoutTime > 0) console.error(`${withoutTime} writes have no time, so they may be lost too.`);
  return withoutTime === 0;
}

if (isCommand(import.meta.filename)) await runTool({ usage: USAGE, readPlan, run: report });
