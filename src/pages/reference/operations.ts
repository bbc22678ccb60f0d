import type {
  Body,
  MediaType,
  Method,
  OpenApiDocument,
  OperationObject,
  Parameter,
  SecurityRequirement,
} from './document.ts';
import { plainSchema, resolveParameter, resolveRequestBody, resolveResponse } from './resolve.ts';

/** One operation with its references resolved, ready to render. */
export interface ReferenceOperation {
  /** Its name in the typed client: `shipments.create`. */
  readonly id: string | undefined;
  /** Its anchor, unique in the document. */
  readonly anchor: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly purpose: string;
  readonly description: string | undefined;
  /** Alternative scopes or schemes, such as `shipments:read`. Empty for no authentication. */
  readonly access: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: { readonly mediaType: string; readonly content: MediaType; readonly isRequired: boolean } | undefined;
  readonly responses: readonly OperationResponse[];
}

export interface OperationResponse {
  readonly status: string;
  readonly description: string;
  readonly headers: readonly string[];
  readonly codes: readonly string[];
  readonly content: MediaType | undefined;
}

export interface OperationGroup {
  readonly tag: string;
  /** The last segment of its page's address. */
  readonly slug: string;
  readonly anchor: string;
  readonly description: string | undefined;
  readonly operations: readonly ReferenceOperation[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const satisfies readonly Method[];

/** Groups the operations by their first tag, in the order of the document's tags, then any other tags. */
export function groupOperations(document: OpenApiDocument): readonly OperationGroup[] {
  const operations = listOperations(document);
  const described = new Map((document.tags ?? []).map((tag) => [tag.name, tag.description]));
  const names = new Set([...described.keys(), ...operations.map((operation) => operation.tag)]);
  const groups = [...names].map((tag) => ({
    tag,
    slug: slugOf(tag),
    anchor: `tag-${slugOf(tag)}`,
    description: described.get(tag),
    operations: operations.filter((operation) => operation.tag === tag),
  }));
  return groups.filter((group) => group.operations.length > 0);
}

/** All operations in the order of the document. */
export function listOperations(document: OpenApiDocument): readonly ReferenceOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const found = item[method];
      return found === undefined ? [] : [readOperation(document, { path, method, found })];
    }),
  );
}

/** Letters, digits and hyphens, for anchors. */
export function slugOf(name: string): string {
  return name
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
}

interface Place {
  readonly path: string;
  readonly method: Method;
  readonly found: OperationObject;
}

function readOperation(document: OpenApiDocument, { path, method, found }: Place): ReferenceOperation {
  const shared = document.paths[path]?.parameters ?? [];
  return {
    id: found.operationId,
    anchor: slugOf(found.operationId ?? `${method}-${path}`),
    method: method.toUpperCase(),
    path,
    tag: found.tags?.[0] ?? 'Other',
    purpose: found.summary ?? found.description ?? `${method.toUpperCase()} ${path}`,
    description: found.summary === undefined ? undefined : found.description,
    access: accessOf(found.security ?? document.security ?? []),
    parameters: [...shared, ...(found.parameters ?? [])].map((parameter) => resolveParameter(document, parameter)),
    body: found.requestBody === undefined ? undefined : readBody(resolveRequestBody(document, found.requestBody)),
    responses: Object.entries(found.responses ?? {}).map(([status, response]) =>
      readResponse(document, status, resolveResponse(document, response)),
    ),
  };
}

/** The scopes of each alternative. An alternative without scopes is named by its scheme. */
function accessOf(security: readonly SecurityRequirement[]): readonly string[] {
  const alternatives = security.map((requirement) =>
    Object.entries(requirement)
      .map(([scheme, scopes = []]) => (scopes.length > 0 ? scopes.join(' ') : scheme))
      .join(' + '),
  );
  return [...new Set(alternatives)].filter((alternative) => alternative !== '');
}

function readBody(body: Body): ReferenceOperation['body'] {
  const [entry] = Object.entries(body.content ?? {});
  return entry === undefined
    ? undefined
    : { mediaType: entry[0], content: entry[1], isRequired: body.required ?? false };
}

function readResponse(document: OpenApiDocument, status: string, response: Body): OperationResponse {
  const content = Object.values(response.content ?? {});
  const codes = response['x-codes'] ?? content.flatMap((media) => codesOf(document, media));
  return {
    status,
    description: response.description ?? '',
    headers: Object.keys(response.headers ?? {}),
    codes: [...new Set(codes)],
    content: content[0],
  };
}

/** The codes that a problem's schema allows, from all its variants. */
function codesOf(document: OpenApiDocument, media: MediaType): readonly string[] {
  if (media.schema === undefined) return [];
  const plain = plainSchema(document, media.schema);
  const code = plain.schema.properties?.code;
  const allowed = code === undefined ? undefined : plainSchema(document, code).schema;
  const values = allowed?.enum ?? (allowed?.const === undefined ? [] : [allowed.const]);
  const own = values.filter((value) => typeof value === 'string');
  return [...own, ...plain.variants.flatMap((schema) => codesOf(document, { schema }))];
}
