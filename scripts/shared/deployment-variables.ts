import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import * as z from 'zod';
import { limitFault } from '../../src/platform/cloudflare/limiter.ts';
import { environment, environmentFaults } from '../../src/service/environment.ts';
import { messageOf, SetupError } from './setup-error.ts';

/** Cloudflare refuses larger variables. */
const VARIABLE_BYTES_MAX = 5000;
/** Those of `environment`, and the switch of src/platform/cloudflare/tracer.ts. */
const NAMES = new Set([...Object.keys(environment.shape), 'TRACES']);

export type Variables = Readonly<Record<string, string>>;

/** What would keep the variables from working on Cloudflare: `NAME: reason` each. */
export function deploymentFaults(variables: Variables): string[] {
  const faults = environmentFaults(variables, 'workers');
  if (variables['DEPLOYMENT'] === 'local') faults.push('DEPLOYMENT: must be sandbox or production');
  const limits = environment.shape.RATE_LIMITS.safeParse(variables['RATE_LIMITS']);
  const limit = limits.success ? limitFault(limits.data) : undefined;
  if (limit !== undefined) faults.push(limit);
  for (const [name, value] of Object.entries(variables)) {
    const bytes = Buffer.byteLength(value);
    if (bytes > VARIABLE_BYTES_MAX)
      faults.push(`${name}: has ${bytes} bytes, and Cloudflare takes ${VARIABLE_BYTES_MAX}`);
    if (!NAMES.has(name)) faults.push(`${name}: is not a variable of the service`);
  }
  return faults;
}

/** The variables of a file, read as wrangler reads it: lines of NAME=value, or one JSON object. */
export function readVariables(path: string): Variables {
  const text = readText(path);
  const json = parseJson(text);
  if (json === undefined) return z.record(z.string(), z.string()).parse(parseEnv(text));
  const variables = z.record(z.string(), z.string()).safeParse(json);
  if (variables.success) return variables.data;
  const names = variables.error.issues.map(({ path: [name] }) => name ?? 'the file');
  throw new SetupError(`wrangler takes only texts, which these are not: ${names.join(', ')}.`);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new SetupError(`${path} cannot be read (${messageOf(error)}).`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
