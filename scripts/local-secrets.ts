import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import * as z from 'zod';
import { writeAtomically } from './data-folder.ts';
import { newSigningKey, signingKey } from './keys.ts';

/*
 * The variables of a local service live in <data>/.dev.vars, not in `.dev.vars` beside wrangler.toml: they name the
 * addresses of one run, and two services at once have two sets of them. wrangler is given the file by `--env-file`
 * (then it reads no `.dev.vars`), so no secret is an argument that `ps` would show; Deno gets the variables in its
 * environment. Secrets stay as they are over restarts, for the directory holds HMACs made with them; everything else
 * is written anew at each start. The file also serves `wrangler dev --env-file <data>/.dev.vars` by hand.
 */

export interface LocalSecrets {
  readonly TOKEN_SIGNING_KEYS: string;
  readonly CREDENTIAL_KEY: string;
  readonly CURSOR_KEYS: string;
  readonly WEBHOOK_KEYS: string;
  readonly METRICS_TOKEN: string;
}

/** The secrets of an earlier run in this file, each made anew when it is not there or not usable. */
export async function readOrMakeSecrets(file: string): Promise<LocalSecrets> {
  const earlier = readVariables(file);
  const {
    TOKEN_SIGNING_KEYS: signing,
    CREDENTIAL_KEY: credential,
    CURSOR_KEYS: cursor,
    WEBHOOK_KEYS: webhook,
    METRICS_TOKEN: metrics,
  } = earlier;
  return {
    TOKEN_SIGNING_KEYS: isJsonOf(z.array(signingKey).min(1), signing)
      ? signing
      : JSON.stringify([await newSigningKey()]),
    CREDENTIAL_KEY: key256.safeParse(credential).data ?? newKey256(),
    CURSOR_KEYS: isJsonOf(z.array(key256).min(1), cursor) ? cursor : JSON.stringify([newKey256()]),
    WEBHOOK_KEYS: isJsonOf(z.array(z.object({ kid: z.string(), key: key256 })).min(1), webhook)
      ? webhook
      : JSON.stringify([{ kid: 'local', key: newKey256() }]),
    METRICS_TOKEN: key256.safeParse(metrics).data ?? newKey256(),
  };
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

const key256 = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

function newKey256(): string {
  return randomBytes(32).toString('base64url');
}

function readVariables(file: string): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

function isJsonOf(schema: z.ZodType, text: string | undefined): text is string {
  try {
    return text !== undefined && schema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
