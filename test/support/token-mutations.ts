/* Changes that an attacker may make to a valid token. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A changed token and the name of the change. Never the token itself. */
export type Mutation = readonly [name: string, token: string];

/** All mutations, each spelling once. */
export function mutationsOf(token: string): Mutation[] {
  const all = [...characterMutations(token), ...lastCharacterMutations(token), ...shapeMutations(token)];
  return [...new Map(all.map(([name, changed]) => [changed, name]))].map(([changed, name]) => [name, changed]);
}

/** Every character replaced by one that differs in one bit, and by one of another case or class. */
function characterMutations(token: string): Mutation[] {
  return [...token].flatMap((character, at) =>
    [neighbourOf(character), otherCaseOf(character)]
      .filter((other) => other !== character)
      .map(
        (other): Mutation => [`${character} at ${at} is ${other}`, token.slice(0, at) + other + token.slice(at + 1)],
      ),
  );
}

/** The last character of each part replaced by every other one: some of them decode to the same bytes. */
function lastCharacterMutations(token: string): Mutation[] {
  return [...token.matchAll(/[\w-](?=\.|$)/g)].flatMap(({ 0: last, index }) =>
    [...ALPHABET]
      .filter((other) => other !== last)
      .map(
        (other): Mutation => [`ends in ${other} at ${index}`, token.slice(0, index) + other + token.slice(index + 1)],
      ),
  );
}

/** Truncated, extended, repeated, padded and re-encoded tokens. */
function shapeMutations(token: string): Mutation[] {
  const half = Math.floor(token.length / 2);
  return [
    ['one character short', token.slice(0, -1)],
    ['without its first', token.slice(1)],
    ['half', token.slice(0, half)],
    ['its other half', token.slice(half)],
    ['with one in the middle left out', token.slice(0, half) + token.slice(half + 1)],
    ['one longer', `${token}A`],
    ['four longer', `${token}AAAA`],
    ['padded', `${token}=`],
    ['padded twice', `${token}==`],
    ['with a dot behind', `${token}.`],
    ['with dots behind', `${token}..`],
    ['with a dot before', `.${token}`],
    ['twice', token + token],
    ['twice with a dot', `${token}.${token}`],
    ['twice with a comma', `${token},${token}`],
    ['upper case', token.toUpperCase()],
    ['lower case', token.toLowerCase()],
    ['reversed', [...token].toReversed().join('')],
    ['in the other alphabet', token.replaceAll('-', '+').replaceAll('_', '/')],
    ['encoded again', Buffer.from(token).toString('base64url')],
    ['percent-encoded', encodeURIComponent(token).replaceAll('_', '%5F').replaceAll('-', '%2D')],
    ['in quotes', `"${token}"`],
  ].flatMap(([name = '', changed = '']) => (changed === token ? [] : [[name, changed] as const]));
}

function neighbourOf(character: string): string {
  const at = ALPHABET.indexOf(character);
  return at < 0 ? 'A' : (ALPHABET[at ^ 1] ?? 'A');
}

function otherCaseOf(character: string): string {
  const upper = character.toUpperCase();
  return upper === character ? character.toLowerCase() : upper;
}
