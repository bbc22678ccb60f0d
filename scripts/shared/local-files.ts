import { lstatSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import * as z from 'zod';
import { environment } from '../../src/service/environment.ts';
import { newKey256, newSigningKey } from './keys.ts';
import { SetupError } from './setup-error.ts';

/*
 * The variables of a local service are in <data>/.dev.vars and not in `.dev.vars` beside wrangler.toml, because they hold the
 * addresses of one run and two services may run at once. wrangler reads the file by `--env-file` (and then no `.dev.vars`), so
 * that `ps` shows no secret as an argument. Deno gets the variables in its environment. Secrets stay the same over restarts,
 * because the directory holds HMACs made with them. All other variables are written at each start. The file also works with
 * `wrangler dev --env-file <data>/.dev.vars` by hand.
 */

export interface LocalSecrets {
  readonly TOKEN_SIGNING_KEYS: string;
  readonly CREDENTIAL_KEYS: string;
  readonly CURSOR_KEYS: string;
  readonly PRICE_LOCK_KEYS: string;
  readonly WEBHOOK_KEYS: string;
  readonly METRICS_TOKEN: string;
}

/** The secrets of an earlier run in this file. A missing or invalid one is created again. */
export async function readOrMakeSecrets(file: string): Promise<LocalSecrets> {
  const earlier = readVariables(file);
  const kept = (name: keyof LocalSecrets): string | undefined => {
    const text = earlier[name];
    return text !== undefined && environment.shape[name].safeParse(text).success ? text : undefined;
  };
  return {
    TOKEN_SIGNING_KEYS: kept('TOKEN_SIGNING_KEYS') ?? JSON.stringify([await newSigningKey()]),
    CREDENTIAL_KEYS: kept('CREDENTIAL_KEYS') ?? JSON.stringify([newKey256()]),
    CURSOR_KEYS: kept('CURSOR_KEYS') ?? JSON.stringify([newKey256()]),
    PRICE_LOCK_KEYS: kept('PRICE_LOCK_KEYS') ?? JSON.stringify([newKey256()]),
    WEBHOOK_KEYS: kept('WEBHOOK_KEYS') ?? JSON.stringify([{ kid: 'local', key: newKey256() }]),
    METRICS_TOKEN: kept('METRICS_TOKEN') ?? newKey256(),
  };
}

/** The key for the HMACs of client secrets. */
export function credentialKeyOf({ CREDENTIAL_KEYS }: LocalSecrets): string {
  return environment.shape.CREDENTIAL_KEYS.parse(CREDENTIAL_KEYS)[0];
}

/** Writes the variables so that dotenv and shells read back the same values. */
export function writeVariables(file: string, variables: Readonly<Record<string, string>>): void {
  const lines = Object.entries(variables).map(([name, value]) => {
    // wrangler expands `$` even between single quotes.
    if (/['$\\\n]/.test(value)) throw new Error(`The value of ${name} cannot be written to an environment file`);
    return `${name}='${value}'\n`;
  });
  writeAtomically(file, lines.join(''));
}

/**
 * Links the file where wrangler looks for variables by itself to those of a run. Returns a function that removes the link, so that no later
 * `wrangler dev` reads the addresses of a run that has ended.
 */
export function linkVariables(file: string, link: string): () => void {
  const earlier = lstatSync(link, { throwIfNoEntry: false });
  // The link of a run that was killed is replaced.
  if (earlier !== undefined && !earlier.isSymbolicLink())
    throw new SetupError(`${link} is a file of your own; move it away, because wrangler would read it.`);
  rmSync(link, { force: true });
  symlinkSync(resolve(file), link);
  return () => rmSync(link, { force: true });
}

function readVariables(file: string): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

const demoClient = z.object({ clientId: z.string(), clientSecret: z.string() });
const demoCompany = demoClient.extend({
  companyId: z.string(),
  name: z.string(),
  branchCode: z.string(),
  pickupLocationCode: z.string(),
  /** How its owner signs in. Files of earlier versions do not have it. */
  owner: z.object({ email: z.string(), mobile: z.string() }).optional(),
});
const demo = z.object({ companies: z.array(demoCompany), operator: demoClient });

export type DemoClient = z.output<typeof demoClient>;
export type DemoCompany = z.output<typeof demoCompany>;
/** Clients and people to try a local service with. Their secrets are stored only here. */
export type Demo = z.output<typeof demo>;

/** The file of an earlier run. Undefined if it is missing or invalid. */
export function readDemo(file: string): Demo | undefined {
  try {
    return demo.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** The address of the service of an earlier run. */
export function readDemoAddress(file: string): string | undefined {
  try {
    return z.object({ baseUrl: z.string() }).safeParse(JSON.parse(readFileSync(file, 'utf8'))).data?.baseUrl;
  } catch {
    return undefined;
  }
}

export function writeDemo(file: string, baseUrl: string, stored: Demo): void {
  writeAtomically(file, `${JSON.stringify({ baseUrl, ...stored }, undefined, 2)}\n`);
}

/** Readers see the old text or the new one. Only the owner may read the file, because it may hold secrets. */
export function writeAtomically(path: string, content: string | Uint8Array): void {
  const draft = `${path}.${process.pid}.draft`;
  // A draft of a killed run would keep its own file mode.
  rmSync(draft, { force: true });
  writeFileSync(draft, content, { mode: 0o600 });
  renameSync(draft, path);
}
