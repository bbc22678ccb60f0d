import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import * as z from 'zod';
import { environment } from '../../src/service/config.ts';
import { newKey256, newSigningKey } from './keys.ts';

/*
 * The variables of a local service live in <data>/.dev.vars, not in `.dev.vars` beside wrangler.toml: they name the
 * addresses of one run, and two services at once have two sets of them. wrangler is given the file by `--env-file`
 * (then it reads no `.dev.vars`), so no secret is an argument that `ps` would show; Deno gets the variables in its
 * environment. Secrets stay as they are over restarts, for the directory holds HMACs made with them; everything else
 * is written anew at each start. The file also serves `wrangler dev --env-file <data>/.dev.vars` by hand.
 */

export interface LocalSecrets {
  readonly TOKEN_SIGNING_KEYS: string;
  readonly CREDENTIAL_KEYS: string;
  readonly CURSOR_KEYS: string;
  readonly WEBHOOK_KEYS: string;
  readonly METRICS_TOKEN: string;
}

/** The secrets of an earlier run in this file, each made anew when it is not there or not usable. */
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
    WEBHOOK_KEYS: kept('WEBHOOK_KEYS') ?? JSON.stringify([{ kid: 'local', key: newKey256() }]),
    METRICS_TOKEN: kept('METRICS_TOKEN') ?? newKey256(),
  };
}

/** The key that client secrets are kept under. */
export function credentialKeyOf({ CREDENTIAL_KEYS }: LocalSecrets): string {
  return environment.shape.CREDENTIAL_KEYS.parse(CREDENTIAL_KEYS)[0];
}

/** Writes the variables so that dotenv, and a shell, read them back as they are. */
export function writeVariables(file: string, variables: Readonly<Record<string, string>>): void {
  const lines = Object.entries(variables).map(([name, value]) => {
    // wrangler expands `$` even between single quotes.
    if (/['$\\\n]/.test(value)) throw new Error(`The value of ${name} cannot be written to an environment file`);
    return `${name}='${value}'\n`;
  });
  writeAtomically(file, lines.join(''));
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
  /** How its owner signs in. A file of an earlier version has none. */
  owner: z.object({ email: z.string(), mobile: z.string() }).optional(),
});
const demo = z.object({ companies: z.array(demoCompany), operator: demoClient });

export type DemoClient = z.output<typeof demoClient>;
export type DemoCompany = z.output<typeof demoCompany>;
/** What there is to try a local service with. The only place where its client secrets can be read. */
export type Demo = z.output<typeof demo>;

/** What an earlier run has stored, or undefined when that is lost. */
export function readDemo(file: string): Demo | undefined {
  try {
    return demo.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Where the service of an earlier run was, or is. */
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

/** Readers see the old text or the new one. Only the owner may read it, for it may hold secrets. */
export function writeAtomically(path: string, text: string): void {
  const draft = `${path}.${process.pid}.draft`;
  // A draft that a killed run left would keep the mode it has.
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
}
