import * as z from 'zod';
import { appRouter } from '../../routers/index.ts';
import type { Meta } from '../../routers/procedure.ts';
import { isRequestParser } from '../../routers/request.ts';
import { PROBLEMS } from '../../src/core/catalogue.ts';

/** The parts of a JSON Schema that say which values exist. Limits and patterns have no place in a type. */
type Schema = z.core.JSONSchema.JSONSchema;
type Direction = 'input' | 'output';

interface Procedure {
  readonly name: string;
  readonly kind: 'Query' | 'Mutation';
  readonly summary: string | undefined;
  readonly input: Schema;
  readonly output: Schema;
  readonly takesBytes: boolean;
}

interface Definition {
  readonly type: string;
  readonly inputs: readonly unknown[];
  readonly output: { readonly source: z.ZodType };
  readonly meta?: Meta;
}

/** The key that the client adds, so it is optional in the types of the client. */
const KEY = 'idempotencyKey';

/**
 * The types of all procedures as TypeScript without imports, from their schemas. The types that the compiler infers name
 * every module of the server. A test compares both. Types that are written many
 * times have names of one letter.
 */
export function clientTypes(): string {
  const procedures = Object.entries(appRouter._def.procedures)
    .map(([name, procedure]): [string, Definition] => [name, definitionOf(procedure)])
    .filter(([, { meta }]) => isForPrograms(meta))
    .map(([name, definition]) => procedureOf(name, definition));
  const shapes = new Shapes();
  for (const { name, input, output } of procedures) {
    shapes.count(input, 'input', titleOf(name, 'Input'));
    shapes.count(output, 'output', titleOf(name, 'Output'));
  }
  const api = nested(procedures.map((procedure) => [procedure.name.split('.'), memberOf(procedure, shapes)]));
  const keyed = procedures.filter(({ input }) => input.required?.includes(KEY)).map(({ name }) => `'${name}'`);
  return [
    `export interface MirsalClient ${api}`,
    '/** Procedures that need an idempotency key, which the client adds. */',
    `export type KeyedPath = ${keyed.join(' | ')};`,
    `export type ProblemCode = ${Object.keys(PROBLEMS)
      .map((code) => `'${code}'`)
      .join('|')};`,
    ...shapes.declarations(),
    '',
  ]
    .join('\n')
    .replaceAll('string|null', 'N')
    .replaceAll('string|U', 'S')
    .replaceAll('number|null', 'D')
    .replaceAll(/(?<=[:<,])string\b/g, 'T')
    .replaceAll(/(?<=[:<,])number\b/g, 'I')
    .replaceAll(/\{data:(?:(\w+)|\((\{.*?\})\))\[\];page:Page\}/g, 'P<$1$2>');
}

/** Programs have access tokens. The other procedures are for sessions, drivers and people without an account. */
function isForPrograms(meta: Meta | undefined): boolean {
  return meta?.security === undefined;
}

function procedureOf(name: string, { type, inputs, output, meta }: Definition): Procedure {
  const [parser] = inputs;
  if (!isRequestParser(parser)) throw new Error(`${name} has no request`);
  return {
    name,
    kind: type === 'query' ? 'Query' : 'Mutation',
    summary: meta?.openapi?.summary,
    input: z.toJSONSchema(parser.source, { io: 'input', unrepresentable: 'any' }),
    output: z.toJSONSchema(output.source, { io: 'output', unrepresentable: 'any' }),
    takesBytes: parser.raw !== undefined,
  };
}

function memberOf({ kind, summary, input, output, takesBytes }: Procedure, shapes: Shapes): string {
  const bytes = takesBytes ? ' & { content: { contentType: string; bytes: Uint8Array } }' : '';
  const type = `${kind}<${shapes.print(input, 'input')}${bytes},${shapes.print(output, 'output')}>`;
  return summary === undefined ? type : `/** ${summary} */ ${type}`;
}

/** tRPC's internal definition of a procedure, which its types do not expose. */
function definitionOf(procedure: unknown): Definition {
  return (procedure as { readonly _def: Definition })._def;
}

/** `shipments.create` and `Input` are `CreateInput`. The names are not exported, and each is written many times. */
function titleOf(name: string, end: string): string {
  return [...name.split('.').slice(-1), end].map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
}

/** An interface of interfaces, from paths and the types at their ends. */
function nested(entries: readonly (readonly [readonly string[], string])[]): string {
  const lines = [...Map.groupBy(entries, ([[first = '']]) => first)].map(([name, within]) => {
    const [path, type] = within[0] ?? [[], ''];
    if (path.length > 1) return `${name}:${nested(within.map(([[, ...rest], end]) => [rest, end]))}`;
    const [, comment = '', plain = type] = /^(\/\*\* .*? \*\/ )(.*)$/s.exec(type) ?? [];
    return `${comment}${name}:${plain}`;
  });
  return `{\n${lines.join('\n')}\n}`;
}

/** An object or a list of literals that occurs, and how often. */
interface Shape {
  readonly name: string;
  count: number;
  readonly isObject: boolean;
  /** Without names for inner objects, to be compared. */
  readonly members: readonly string[];
  readonly body: () => string;
}

/** Prints schemas. An object that occurs more than once gets a name, and so is written once. */
class Shapes {
  readonly #names = new Map<string, Shape>();
  readonly #taken = new Set<string>();

  /** The schemas with names of their own. They are the same in both directions, so they must not be objects. */
  readonly #defined = new Map<string, Schema>();

  /** Counts the objects within a schema. `name` is for the first object of this shape. */
  count(schema: Schema, direction: Direction, name: string): void {
    for (const [own, definition] of Object.entries(schema.$defs ?? {})) {
      if (this.#defined.has(own)) continue;
      this.#defined.set(own, schemaOf(definition));
      this.count(schemaOf(definition), direction, own);
    }
    if ((schema.type === 'object' && schema.properties !== undefined) || schema.enum !== undefined) {
      const key = this.#body(schema, direction, false);
      const known = this.#names.get(key);
      if (known !== undefined) {
        known.count += 1;
        return;
      }
      let free = name;
      for (let number = 2; this.#taken.has(free); number += 1) free = `${name}${number}`;
      this.#taken.add(free);
      this.#names.set(key, {
        name: free,
        count: 1,
        isObject: schema.enum === undefined,
        members: this.#members(schema, direction, false),
        body: () => this.#body(schema, direction, true),
      });
    }
    for (const [member, inner] of Object.entries(schema.properties ?? {})) {
      this.count(schemaOf(inner), direction, lastWordOf(name) + titleOf(member, ''));
    }
    for (const inner of [schema.items, schema.additionalProperties, ...variantsOf(schema)]) {
      if (typeof inner === 'object' && !Array.isArray(inner)) this.count(inner, direction, name);
    }
  }

  print(schema: Schema, direction: Direction): string {
    return this.#print(schema, direction, true);
  }

  declarations(): string[] {
    const repeated = [...this.#names.values()].filter(({ name, count }) => count > 1 && !this.#defined.has(name));
    return [
      ...[...this.#defined].map(([name, schema]) => `export type ${name}=${this.#definition(schema)};`),
      ...repeated.map(({ name, body }) => `type ${name}=${body()};`),
    ];
  }

  #definition(schema: Schema): string {
    const isListed = schema.properties !== undefined || schema.enum !== undefined;
    return isListed ? this.#body(schema, 'output', true) : this.print(schema, 'output');
  }

  #print(schema: Schema, direction: Direction, isNamed: boolean): string {
    const { $ref, type, enum: values, const: only, items, additionalProperties, properties } = schema;
    if ($ref !== undefined) return $ref.replace('#/$defs/', '');
    const print = (inner: Schema) => this.#print(inner, direction, isNamed);
    if (only !== undefined) return JSON.stringify(only);
    if (properties !== undefined || values !== undefined) {
      const known = isNamed ? this.#names.get(this.#body(schema, direction, false)) : undefined;
      return known !== undefined && known.count > 1 ? known.name : this.#body(schema, direction, isNamed);
    }
    const variants = variantsOf(schema);
    if (variants.length > 0) {
      return [...new Set(variants.map(print))].join(schema.allOf === undefined ? '|' : '&');
    }
    if (Array.isArray(type)) return type.map((one) => print({ ...schema, type: one })).join('|');
    if (type === 'array') return `(${print(schemaOf(items))})[]`.replace(/^\((\w+)\)/, '$1');
    if (type === 'integer' || type === 'number') return 'number';
    if (type === 'string' || type === 'boolean' || type === 'null') return type;
    if (type !== 'object') return 'unknown';
    return `Record<string,${print(schemaOf(additionalProperties))}>`;
  }

  /** An object with its members, or a list of literals. With names, a part of it that has one is not written again. */
  #body(schema: Schema, direction: Direction, isNamed: boolean): string {
    const isObject = schema.enum === undefined;
    const members = this.#members(schema, direction, isNamed);
    const plain = isNamed ? this.#members(schema, direction, false) : members;
    const part = isNamed ? this.#partOf(plain, isObject) : undefined;
    const rest = members.filter((_, index) => part?.members.includes(plain[index] ?? '') !== true);
    const written = isObject ? `{${rest.join(';')}}` : rest.join('|');
    return part === undefined ? written : `${part.name}${isObject ? '&' : '|'}${written}`;
  }

  #members({ enum: values, properties = {}, required = [] }: Schema, direction: Direction, isNamed: boolean): string[] {
    if (values !== undefined) return values.map((value) => JSON.stringify(value));
    return Object.entries(properties).map(([member, inner]) => {
      const type = this.#print(schemaOf(inner), direction, isNamed);
      if (required.includes(member) && !(direction === 'input' && member === KEY)) return `${nameOf(member)}:${type}`;
      return `${nameOf(member)}?:${type}${direction === 'input' ? '|U' : ''}`;
    });
  }

  /** The longest shape with a name whose members are some of these, but not all. */
  #partOf(members: readonly string[], isObject: boolean): Shape | undefined {
    const lengthOf = (shape: Shape) => shape.members.join(';').length;
    return [...this.#names.values()]
      .filter((shape) => shape.isObject === isObject && (shape.count > 1 || this.#defined.has(shape.name)))
      .filter((shape) => shape.members.length < members.length && lengthOf(shape) > shape.name.length + 3)
      .filter((shape) => shape.members.every((member) => members.includes(member)))
      .toSorted((one, other) => lengthOf(other) - lengthOf(one))[0];
  }
}

/** `Create` of `CreateInput`: names of inner objects have two parts, because each is written several times. */
function lastWordOf(name: string): string {
  return /[A-Z][a-z]*\d*$/.exec(name.replace(/(?:Input|Output)$/, ''))?.[0] ?? name;
}

/** Names of events contain a dot, so they are quoted. */
function nameOf(member: string): string {
  return /^\w+$/.test(member) ? member : JSON.stringify(member);
}

function variantsOf({ anyOf, oneOf, allOf }: Schema): Schema[] {
  return (anyOf ?? oneOf ?? allOf ?? []).map(schemaOf);
}

/** `true` and a missing schema allow every value. */
function schemaOf(schema: unknown): Schema {
  return typeof schema === 'object' && schema !== null ? (schema as Schema) : {};
}
