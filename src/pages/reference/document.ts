/**
 * The parts of an OpenAPI 3.1 document that the reference reads. Every object may be a `$ref` and every member may be
 * absent, so that a parsed document has this type without changes.
 */
export interface OpenApiDocument {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary?: string | undefined;
    readonly description?: string | undefined;
  };
  readonly tags?: readonly Tag[] | undefined;
  readonly security?: readonly SecurityRequirement[] | undefined;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?:
    | {
        readonly schemas?: Readonly<Record<string, Schema>> | undefined;
        readonly parameters?: Readonly<Record<string, Parameter>> | undefined;
        readonly requestBodies?: Readonly<Record<string, Body>> | undefined;
        readonly responses?: Readonly<Record<string, Body>> | undefined;
      }
    | undefined;
}

export interface Tag {
  readonly name: string;
  readonly description?: string | undefined;
}

export type SecurityRequirement = Readonly<Record<string, readonly string[] | undefined>>;

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export interface PathItem extends Readonly<Partial<Record<Method, OperationObject | undefined>>> {
  readonly parameters?: readonly Parameter[] | undefined;
}

export interface OperationObject {
  readonly operationId?: string | undefined;
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly security?: readonly SecurityRequirement[] | undefined;
  readonly parameters?: readonly Parameter[] | undefined;
  readonly requestBody?: Body | undefined;
  readonly responses?: Readonly<Record<string, Body>> | undefined;
}

export interface Parameter {
  readonly $ref?: string | undefined;
  readonly name?: string | undefined;
  readonly in?: string | undefined;
  readonly required?: boolean | undefined;
  readonly description?: string | undefined;
  readonly schema?: Schema | undefined;
  readonly example?: unknown;
}

/** A request body or a response. `x-codes` are the problem codes that a response can have. */
export interface Body {
  readonly $ref?: string | undefined;
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  readonly content?: Readonly<Record<string, MediaType>> | undefined;
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
  readonly 'x-codes'?: readonly string[] | undefined;
}

export interface MediaType {
  readonly schema?: Schema | undefined;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref?: string; readonly value?: unknown }>> | undefined;
}

export interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly format?: string | undefined;
  readonly description?: string | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: Schema | boolean | undefined;
  readonly allOf?: readonly Schema[] | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[] | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
  readonly multipleOf?: number | undefined;
  /** The digits of an exact decimal. */
  readonly 'x-decimal'?:
    | { readonly digits?: number | undefined; readonly fractionDigits?: number | undefined }
    | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly uniqueItems?: boolean | undefined;
}
