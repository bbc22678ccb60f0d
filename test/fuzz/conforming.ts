import fc from 'fast-check';
import type { Chance } from './chance.ts';
import { type JsonSchema, resolved } from './document.ts';
import { leaf, type Tree, textOf } from './json-tree.ts';

/* Values that a schema of the document allows, mostly at its limits. */

const LETTERS = ['a', 'Z', '7', ' ', '-', 'ش', 'é', '漢', '🚚', '\u200f', '"', '\\'];
const LENGTH_WHERE_NONE_IS_SAID = 30;
const LAST_DAY_MS = Date.parse('2100-01-01');
const ITEMS_WHERE_NONE_IS_SAID = 3;
/** A list of the maximum length costs as much as a hundred others. */
const LONG_LIST_ONCE_IN = 25;

/** JSON that conforms to the schema. The service may still refuse it for a rule that no schema can express. */
export function conformingTo(schema: JsonSchema, chance: Chance): Tree {
  const one = resolved(schema);
  const choices = one['anyOf'] ?? one['oneOf'];
  if (Array.isArray(choices)) return conformingTo(chance.oneOf(choices as JsonSchema[]), chance);
  if (Array.isArray(one['enum'])) return leaf(JSON.stringify(chance.oneOf(one['enum'])));
  if ('const' in one) return leaf(JSON.stringify(one['const']));
  return ofType(one, chance);
}

/** The same as plain text, for a parameter. The values of a list have commas between them. */
export function conformingText(schema: JsonSchema, chance: Chance): string {
  const tree = conformingTo(schema, chance);
  if (tree.kind === 'array') return tree.items.map((item) => String(JSON.parse(textOf(item)))).join();
  const text = textOf(tree);
  return text.startsWith('"') ? String(JSON.parse(text)) : text;
}

function ofType(schema: JsonSchema, chance: Chance): Tree {
  switch (schema['type']) {
    case 'object':
      return objectOf(schema, chance);
    case 'array':
      return arrayOf(schema, chance);
    case 'string':
      return leaf(JSON.stringify(stringOf(schema, chance)));
    case 'integer':
    case 'number':
      return leaf(numberOf(schema, chance));
    case 'boolean':
      return leaf(String(chance.once(2)));
    default:
      return leaf('null');
  }
}

function objectOf(schema: JsonSchema, chance: Chance): Tree {
  const required = new Set((schema['required'] ?? []) as string[]);
  const members = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).filter(
    ([name]) => required.has(name) || chance.once(2),
  );
  return { kind: 'object', members: members.map(([name, member]) => [name, conformingTo(member, chance)]) };
}

function arrayOf(schema: JsonSchema, chance: Chance): Tree {
  const min = Number(schema['minItems'] ?? 0);
  const max = Number(schema['maxItems'] ?? ITEMS_WHERE_NONE_IS_SAID);
  const count = chance.once(LONG_LIST_ONCE_IN) ? max : Math.min(max, min + chance.below(3));
  const items = Array.from({ length: count }, () => conformingTo((schema['items'] ?? {}) as JsonSchema, chance));
  if (schema['uniqueItems'] !== true) return { kind: 'array', items };
  return { kind: 'array', items: [...new Map(items.map((item) => [textOf(item), item])).values()] };
}

function stringOf(schema: JsonSchema, chance: Chance): string {
  const { pattern, format } = schema;
  if (typeof pattern === 'string') return chance.oneOf(matching(pattern));
  if (format === 'uuid') return chance.oneOf(UUIDS);
  if (format === 'email') return `p${chance.below(2 ** 31)}@people.example`;
  if (format === 'date-time') return new Date(chance.below(LAST_DAY_MS)).toISOString();
  const min = Number(schema['minLength'] ?? 0);
  const max = Number(schema['maxLength'] ?? LENGTH_WHERE_NONE_IS_SAID);
  const length = chance.oneOf([min, min + 1, max, Math.min(max, min + chance.below(LENGTH_WHERE_NONE_IS_SAID))]);
  return Array.from({ length }, () => chance.oneOf(LETTERS)).join('');
}

function numberOf(schema: JsonSchema, chance: Chance): string {
  const min = Number(schema['minimum'] ?? 0);
  const max = Number(schema['maximum'] ?? 1_000_000);
  const whole = String(Math.floor(chance.between(min, max)));
  if (schema['exclusiveMinimum'] !== undefined) return chance.oneOf(['0.000001', '1e-6', '1.5', '99999', '12.345678']);
  if (schema['type'] === 'integer') return chance.oneOf([String(min), String(max), whole]);
  return chance.oneOf([String(min), String(max), whole, `${whole}.0`, `${whole}e0`]);
}

const UUIDS = fc.sample(fc.uuid(), { seed: 1, numRuns: 20 });
const patterns = new Map<string, readonly string[]>();

/** Texts that match the pattern, the same in every run. */
function matching(pattern: string): readonly string[] {
  const texts = patterns.get(pattern) ?? fc.sample(fc.stringMatching(new RegExp(pattern)), { seed: 1, numRuns: 100 });
  patterns.set(pattern, texts);
  return texts;
}
