import type { Chance } from './chance.ts';
import { leaf, type ObjectTree, objectsOf, spotsOf, type Tree, type TreePosition, textOf } from './json-tree.ts';
import { NO_JSON, ODD_JSON, ODD_NAMES, ODD_URLS } from './odd-values.ts';

/* Faults of a JSON body. A member `url` is always one of ODD_URLS, so that no webhook leaves this machine. */

const URL_MEMBER = 'url';
const TIMES = [2, 21, 101];
/** Just over the limit of 256 KiB. */
const TOO_LARGE = 256 * 1024 + 1;

type SpoilTree = (tree: Tree, chance: Chance) => Tree | undefined;

/** Each returns the changed tree, or undefined if there was nothing to change. */
const TREES: Readonly<Record<string, SpoilTree>> = {
  'another value': (tree, chance) =>
    at(tree, chance, ({ name }) => (name === URL_MEMBER ? oddUrl(chance) : leaf(chance.oneOf(ODD_JSON)))),
  'no JSON as a value': (tree, chance) =>
    at(tree, chance, ({ name, value }) => (name === URL_MEMBER ? value : leaf(chance.oneOf(NO_JSON)))),
  'a value in a list': (tree, chance) => at(tree, chance, ({ value }) => ({ kind: 'array', items: [value] })),
  'a list longer': (tree, chance) =>
    at(tree, chance, ({ value }) => {
      if (value.kind !== 'array') return value;
      const [item = leaf(chance.oneOf(ODD_JSON))] = value.items;
      return { kind: 'array', items: Array.from({ length: chance.oneOf(TIMES) }, () => item) };
    }),
  'a member missing': (tree, chance) =>
    within(tree, chance, ({ members }) => void members.splice(chance.below(members.length), 1)),
  'a member more': (tree, chance) =>
    within(tree, chance, ({ members }) => {
      const member: [string, Tree] = [chance.oneOf(ODD_NAMES), leaf(chance.oneOf(ODD_JSON))];
      members.splice(chance.below(members.length + 1), 0, member);
    }),
  'many members more': (tree, chance) =>
    within(tree, chance, ({ members }) => {
      for (let count = 0; count < 30; count += 1) members.push([`more${count}`, leaf('1')]);
    }),
  'a member twice': (tree, chance) =>
    within(tree, chance, ({ members }) => {
      const [name, value] = chance.oneOf(members);
      const other = name === URL_MEMBER ? oddUrl(chance) : leaf(chance.oneOf(ODD_JSON));
      members.push([name, chance.once(2) ? value : other]);
    }),
  'a member by another name': (tree, chance) =>
    within(tree, chance, ({ members }) => {
      const member = chance.oneOf(members);
      member[0] = chance.oneOf([member[0].toUpperCase(), `${member[0]} `, chance.oneOf(ODD_NAMES)]);
    }),
  'members exchanged': (tree, chance) =>
    within(tree, chance, ({ members }) => {
      const others = members.filter(([name]) => name !== URL_MEMBER);
      if (others.length < 2) return;
      const [one, other] = [chance.oneOf(others), chance.oneOf(others)];
      [one[1], other[1]] = [other[1], one[1]];
    }),
  'something else altogether': (_tree, chance) => leaf(chance.oneOf(ODD_JSON)),
};

type SpoilText = (text: string, chance: Chance) => Buffer | string;

const TEXTS: Readonly<Record<string, SpoilText>> = {
  'text broken off': (text, chance) => text.slice(0, chance.below(text.length)),
  'text that goes on': (text, chance) => text + chance.oneOf(['}', ',', ' {}', '\0', '//', text]),
  'a byte order mark': (text) => `\ufeff${text}`,
  'a byte that is no UTF-8': (text, chance) => {
    const bytes = Buffer.from(text);
    if (bytes.length > 0) bytes[chance.below(bytes.length)] = chance.oneOf([0x80, 0xc0, 0xed, 0xff]);
    return bytes;
  },
  'half of a surrogate pair in UTF-8': (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xed, 0xa0, 0x80])]),
  'UTF-16': (text) => Buffer.from(text, 'utf16le'),
  'white space': (text, chance) => chance.oneOf([`\n\t ${text}\r\n`, `\u00a0${text}`, `\v${text}`]),
  'a comma too many': (text) => text.replace(/\}$/, ',}'),
  'single quotes': (text) => text.replaceAll('"', "'"),
  'escaped letters': (text) => text.replaceAll('e', '\\u0065'),
  nothing: () => '',
  'too much': (text) => text + ' '.repeat(TOO_LARGE - text.length),
};

export const TREE_FAULTS = Object.keys(TREES);
export const TEXT_FAULTS = Object.keys(TEXTS);

/** The tree with this fault, or unchanged if it does not apply. */
export function spoilTree(tree: Tree, fault: string, chance: Chance): Tree {
  return TREES[fault]?.(tree, chance) ?? tree;
}

export function spoilText(text: string, fault: string, chance: Chance): Buffer {
  const spoilt = TEXTS[fault]?.(text, chance) ?? text;
  return typeof spoilt === 'string' ? Buffer.from(spoilt) : spoilt;
}

export function bufferOf(tree: Tree): Buffer {
  return Buffer.from(textOf(tree));
}

function oddUrl(chance: Chance): Tree {
  return leaf(JSON.stringify(chance.oneOf(ODD_URLS)));
}

function at(tree: Tree, chance: Chance, change: (spot: TreePosition) => Tree): Tree | undefined {
  const spots = spotsOf(tree);
  if (spots.length === 0) return undefined;
  const spot = chance.oneOf(spots);
  spot.put(change(spot));
  return tree;
}

function within(tree: Tree, chance: Chance, change: (object: ObjectTree) => void): Tree | undefined {
  const objects = objectsOf(tree).filter(({ members }) => members.length > 0);
  if (objects.length === 0) return undefined;
  change(chance.oneOf(objects));
  return tree;
}
