import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { failWith, isCommand } from '../shared/command.ts';
import { newSigningKey, type SigningKey, signingKey } from '../shared/keys.ts';
import { SetupError } from '../shared/setup-error.ts';

/** First step of a rotation: adds the key at the end. It verifies tokens and does not sign yet. */
export function addKey(keys: readonly SigningKey[], key: SigningKey): SigningKey[] {
  if (keys.some((other) => other.kid === key.kid)) throw new SetupError(`The key ${key.kid} is already in the list.`);
  return [...keys, key];
}

/** Second step: moves a key, by default the last one, to the front. It signs from now on. */
export function promoteKey(keys: readonly SigningKey[], kid: string | undefined): SigningKey[] {
  const key = requireKey(keys, kid);
  if (key === keys[0]) throw new SetupError(`The key ${key.kid} already signs; add a new one first.`);
  return [key, ...keys.filter((other) => other !== key)];
}

/** Third step: removes a key, by default the last one. Tokens signed by it are refused from now on. */
export function removeKey(keys: readonly SigningKey[], kid: string | undefined): SigningKey[] {
  const key = requireKey(keys, kid);
  if (key === keys[0]) throw new SetupError(`The key ${key.kid} signs; promote another one before it is removed.`);
  return keys.filter((other) => other !== key);
}

function requireKey(keys: readonly SigningKey[], kid: string | undefined): SigningKey {
  const key = kid === undefined ? keys.at(-1) : keys.find((other) => other.kid === kid);
  if (key === undefined)
    throw new SetupError(kid === undefined ? 'The list has no key.' : `The list has no key ${kid}.`);
  return key;
}

const USAGE = `Makes and rotates the keys that sign access tokens (TOKEN_SIGNING_KEYS: the first signs, all verify).

  node scripts/operate/keys.ts new                       prints a new private key, one entry of the list
  node scripts/operate/keys.ts add     < list > next     adds a new key, which verifies and does not sign yet
  node scripts/operate/keys.ts promote < list > next     moves the last key to the front: it signs from then on
  node scripts/operate/keys.ts remove  < list > next     takes the last key out: its tokens are refused from then on

promote and remove take --kid KID for another key than the last. To rotate: add, and deploy that everywhere; promote,
and deploy; then, when the last token of the old key is over (1 hour), remove, and deploy. To begin with:

  TOKEN_SIGNING_KEYS="[$(node scripts/operate/keys.ts new)]"

What is printed is secret: send it to a secret store, not to a screen or a log.`;

/** The list after one step of a rotation, or the new key for `new`. */
async function runStep(step: string | undefined, kid: string | undefined): Promise<SigningKey | SigningKey[]> {
  switch (step) {
    case 'new':
      return newSigningKey();
    case 'add':
      return addKey(readList(), await newSigningKey());
    case 'promote':
      return promoteKey(readList(), kid);
    case 'remove':
      return removeKey(readList(), kid);
    default:
      throw new SetupError(USAGE);
  }
}

function readList(): SigningKey[] {
  if (process.stdin.isTTY) throw new SetupError('Give the current value of TOKEN_SIGNING_KEYS on standard input.');
  try {
    return z
      .array(signingKey)
      .min(1)
      .parse(JSON.parse(readFileSync(process.stdin.fd, 'utf8')));
  } catch {
    // The message leaves out the reason, which could quote a part of a key.
    throw new SetupError('Standard input is not a list of Ed25519 private keys, as in TOKEN_SIGNING_KEYS.');
  }
}

async function runFromCommandLine(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { kid: { type: 'string' } }, allowPositionals: true });
  console.log(JSON.stringify(await runStep(positionals[0], values.kid)));
}

if (isCommand(import.meta.filename)) await runFromCommandLine().catch(failWith);
