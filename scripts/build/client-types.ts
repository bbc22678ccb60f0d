import * as z from 'zod';
import { appRouter } from '../../routers/index.ts';
import type { Meta } from '../../routers/procedure.ts';
import { isRequestParser } from '../../routers/request.ts';
import { PROBLEMS } from '../../src/core/catalogue.ts';
import { ENUMS } from './openapi/enums.ts';

/** The parts of a JSON Schema that say which values exist. Limits and patterns have no place in a type. */
type Schema = z.core.JSONSchema.JSONSchema;
type Direction = 'input' | 'output';

interface Procedure {
  readonly name: string;
  readonly kind: 'Query' | 'Mutation';
  readonly summary: string | undefined;
  readonly input: Schema;
  readonly output: Schema;
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
 * The types of all procedures as TypeScript, from their schemas. The types that the compiler infers name every module of the
 * server. Every type has a name that a program can write. It is the `id` of a schema, the name of an enum in the OpenAPI
 * document, or the path of a procedure with `Input` or `Output`. So no other shape has an influence on it.
 */
export function clientTypes(): string {
  const procedures = proceduresForPrograms();
  const types = new Types();
  const api = nested(procedures.map((procedure) => [procedure.name.split('.'), memberOf(procedure, types)]));
  const keyed = procedures.filter(({ input }) => input.required?.includes(KEY)).map(({ name }) => `'${name}'`);
  return [
    `export interface MirsalClient ${api}`,
    '/** Procedures that need an idempotency key, which the client adds. */',
    `export type KeyedPath = ${keyed.join(' | ')};`,
    `export type ProblemCode = ${Object.keys(PROBLEMS).map(literal).join('|')};`,
    ...types.declarations(),
    '',
  ].join('\n');
}

/** Programs have access tokens. The other procedures are for sessions, drivers and people without an account. */
export function proceduresForPrograms(): Procedure[] {
  return Object.entries(appRouter._def.procedures)
    .map(([name, procedure]): [string, Definition] => [name, definitionOf(procedure)])
    .filter(([, { meta }]) => meta?.security === undefined)
    .map(([name, definition]) => procedureOf(name, definition));
}

/** What REST has as the body, and tRPC as a file beside the input. */
const CONTENT: Schema = {
  type: 'object',
  properties: { contentType: { type: 'string' }, bytes: { $ref: 'Uint8Array' } },
  required: ['contentType', 'bytes'],
};

function procedureOf(name: string, { type, inputs, output, meta }: Definition): Procedure {
  const [parser] = inputs;
  if (!isRequestParser(parser)) throw new Error(`${name} has no request`);
  const { properties, required = [], ...input } = jsonSchemaOf(parser.source, 'input');
  const content = parser.raw === undefined ? {} : { content: CONTENT };
  return {
    name,
    kind: type === 'query' ? 'Query' : 'Mutation',
    summary: meta?.openapi?.summary,
    input: { ...input, properties: { ...properties, ...content }, required: [...required, ...Object.keys(content)] },
    output: jsonSchemaOf(output.source, 'output'),
  };
}

/**
 * A schema that refers to a schema of the OpenAPI document says so in `override`. What else stands there is about JSON
 * numbers in place of decimals, which tRPC has as text.
 */
function jsonSchemaOf(source: z.ZodType, io: Direction): Schema {
  return z.toJSONSchema(source, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const given = jsonSchema['override'];
      if (JSON.stringify(given)?.includes('"$ref"') === true) Object.assign(jsonSchema, given);
    },
  });
}

function memberOf({ name, kind, summary, input, output }: Procedure, types: Types): string {
  const title = titleOf(name);
  const type = `${kind}<${types.add(`${title}Input`, input, 'input')}, ${types.add(`${title}Output`, output, 'output')}>`;
  return commentOf(summary) + type;
}

/** tRPC's internal definition of a procedure, which its types do not expose. */
function definitionOf(procedure: unknown): Definition {
  return (procedure as { readonly _def: Definition })._def;
}

/** `shipments.create` is `ShipmentsCreate`. */
function titleOf(path: string): string {
  return path.replaceAll(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** An interface of interfaces, from paths and the types at their ends. */
function nested(entries: readonly (readonly [readonly string[], string])[]): string {
  const lines = [...Map.groupBy(entries, ([[first = '']]) => first)].map(([name, within]) => {
    const [path, type] = within[0] ?? [[], ''];
    if (path.length > 1) return `${name}: ${nested(within.map(([[, ...rest], end]) => [rest, end]))}`;
    const [, comment = '', plain = type] = /^(\/\*\* .*? \*\/\n)(.*)$/s.exec(type) ?? [];
    return `${comment}${name}: ${plain}`;
  });
  return `{\n${lines.join('\n')}\n}`;
}

/** A type with a name: an object with its members, a list of literals, or another type as one part. */
interface Named {
  readonly comment: string;
  readonly kind: 'object' | 'literals' | 'other';
  readonly parts: readonly string[];
}

/** Prints schemas, and collects the types that have names. */
class Types {
  readonly #named = new Map<string, Named>();

  /** Names the type, if its schema has no name of its own, and returns what to write in its place. */
  add(name: string, schema: Schema, direction: Direction): string {
    for (const [id, definition] of Object.entries(schema.$defs ?? {})) {
      // Optional members of inputs take `undefined`, those of outputs do not.
      const { properties } = schemaOf(definition);
      if (direction === 'input' && properties !== undefined) throw new Error(`${id} is an input, and has an id`);
      this.#name(id, schemaOf(definition), direction);
    }
    const text = this.#print(schema, direction);
    if (!text.includes('{')) return text;
    this.#name(name, schema, direction);
    return name;
  }

  /** In alphabetical order, so that moving a procedure does not move its types. */
  declarations(): string[] {
    const names = [...this.#named.keys()].toSorted();
    return names.map((name) => {
      const { comment, kind, parts } = this.#named.get(name) ?? OTHER;
      const base = this.#baseOf(name);
      const covered = this.#named.get(base ?? '')?.parts ?? [];
      const rest = parts.filter((part) => !covered.includes(part));
      const own = rest.length === 0 ? [] : [this.#shortened(textOf({ kind, parts: rest }), base ?? name)];
      const joined = [...(base === undefined ? [] : [base]), ...own].join(kind === 'object' ? ' & ' : '|');
      return `${comment}export type ${name} = ${joined};`;
    });
  }

  #name(name: string, schema: Schema, direction: Direction): void {
    const comment = commentOf(schema.description);
    const { enum: values } = schema;
    if (values !== undefined) this.#named.set(name, { comment, kind: 'literals', parts: values.map(literal) });
    else if (isObject(schema) && pageEntriesOf(schema) === undefined)
      this.#named.set(name, { comment, kind: 'object', parts: this.#members(schema, direction) });
    else this.#named.set(name, { comment, kind: 'other', parts: [this.#print(schema, direction)] });
  }

  #print(schema: Schema, direction: Direction): string {
    const { $ref, type, enum: values, const: only, items, additionalProperties } = schema;
    if ($ref !== undefined) return $ref.replace(/^.*\//, '');
    const print = (inner: Schema) => this.#print(inner, direction);
    if (only !== undefined) return literal(only);
    if (values !== undefined) return this.#literals(values);
    const entries = pageEntriesOf(schema);
    if (entries !== undefined) return `PageOf<${print(entries)}>`;
    if (isObject(schema)) return textOf({ kind: 'object', parts: this.#members(schema, direction) });
    const variants = variantsOf(schema);
    if (variants.length > 0) {
      return [...new Set(variants.map(print))].join(schema.allOf === undefined ? ' | ' : ' & ');
    }
    if (Array.isArray(type)) return type.map((one) => print({ ...schema, type: one })).join(' | ');
    if (type === 'array') {
      const entry = print(schemaOf(items));
      return isObject(schemaOf(items)) || /^\w+$/.test(entry) ? `${entry}[]` : `(${entry})[]`;
    }
    if (type === 'integer' || type === 'number') return 'number';
    if (type === 'string' || type === 'boolean' || type === 'null') return type;
    if (type !== 'object') return 'unknown';
    return `Record<string, ${additionalProperties === false ? 'never' : print(schemaOf(additionalProperties))}>`;
  }

  /** The name that the OpenAPI document gives to such a list, or the list. */
  #literals(values: readonly unknown[]): string {
    const all = JSON.stringify(values);
    const known = ENUMS.find((one) => JSON.stringify(one.values) === all);
    if (known === undefined) return values.map(literal).join('|');
    const { name, description } = known;
    this.#named.set(name, { comment: commentOf(description), kind: 'literals', parts: values.map(literal) });
    return name;
  }

  #members({ properties = {}, required = [] }: Schema, direction: Direction): string[] {
    return Object.entries(properties).map(([member, inner]) => {
      const schema = schemaOf(inner);
      const isRequired = required.includes(member) && !(direction === 'input' && member === KEY);
      const absent = direction === 'input' ? ' | undefined' : '';
      const type = this.#print(schema, direction);
      return `${commentOf(schema.description)}${nameOf(member)}${isRequired ? `: ${type}` : `?: ${type}${absent}`}`;
    });
  }

  /** Another type with some of the same parts, of which it saves most. Of equal types the last stands for the others. */
  #baseOf(name: string): string | undefined {
    const own = this.#named.get(name) ?? OTHER;
    const isBase = ([other, { kind, parts }]: [string, Named]) =>
      kind === own.kind &&
      (parts.length < own.parts.length || (parts.length === own.parts.length && other > name)) &&
      textOf({ kind, parts }).length > SHARED_LENGTH_MIN &&
      parts.every((part) => own.parts.includes(part));
    const sizeOf = ({ parts }: Named) => parts.join('').length;
    return [...this.#named]
      .filter(isBase)
      .toSorted(([id, one], [next, other]) => sizeOf(other) - sizeOf(one) || (id > next ? -1 : 1))[0]?.[0];
  }

  /** With names in place of objects that have one. */
  #shortened(text: string, name: string): string {
    return [...this.#named]
      .filter(([other, { kind, parts }]) => other !== name && kind === 'object' && parts.length > 0)
      .map(([other, named]) => [other, textOf(named)] as const)
      .filter(([, inner]) => inner.length > SHARED_LENGTH_MIN && inner !== text)
      .toSorted(([, one], [, other]) => other.length - one.length)
      .reduce((shorter, [other, inner]) => shorter.replaceAll(inner, other), text);
  }
}

const OTHER: Named = { comment: '', kind: 'other', parts: [] };
/** A shorter text is written again, because a reader finds it in its place. */
const SHARED_LENGTH_MIN = 100;

/** One member a line, which is as short as `;` between them. */
function textOf({ kind, parts }: Pick<Named, 'kind' | 'parts'>): string {
  return kind === 'object' ? `{\n${parts.join('\n')}\n}` : parts.join('|');
}

function isObject({ properties = {} }: Schema): boolean {
  return Object.keys(properties).length > 0;
}

/** The schema of the entries, if this is a page of a list. */
function pageEntriesOf({ properties = {} }: Schema): Schema | undefined {
  const { data, page, ...others } = properties;
  const isPage = schemaOf(page).$ref?.endsWith('/Page') === true && Object.keys(others).length === 0;
  return isPage ? schemaOf(schemaOf(data).items) : undefined;
}

/** JSDoc, which editors show. */
function commentOf(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '*\\/')} */\n`;
}

function literal(value: unknown): string {
  return JSON.stringify(value);
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
