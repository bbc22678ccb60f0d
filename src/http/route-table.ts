import type { Context } from '../../routers/context.ts';
import type { Deployment } from '../core/deployment.ts';
import type { LoggedForm } from '../domain/request-log/entry.ts';
import type { Permit } from './admission.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A response before its headers are complete. JSON is answered so; pages answer a `Response`. */
export interface Draft {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}
export type Answer = Draft | Response;

/** A route of any interface: REST, OAuth, tRPC or pages. */
export interface Route {
  readonly method: Method;
  /** Segments in braces are parameters: `/v2/external/shipments/{shipmentId}`. */
  readonly path: string;
  /** The deployments that have it; all by default. */
  readonly deployments?: readonly Deployment[] | undefined;
  /** Whether the last segment is a secret that must not be logged. */
  readonly endsInSecret?: boolean | undefined;
  /** Whether it is answered even under overload: it is for operators, or uses no database. */
  readonly needsNoPermit?: boolean | undefined;
  readonly handle: (request: Request, exchange: Exchange) => Promise<Answer> | Answer;
  /** What the request log needs of a procedure that the route calls. */
  readonly formOf?: ((operation: string) => LoggedForm | undefined) | undefined;
  /** The response to an error, also to a refusal under overload. A problem by default. */
  readonly answerError?: ((error: unknown, exchange: Exchange) => Promise<Answer> | Answer) | undefined;
}

/** One request during its processing. */
export interface Exchange extends Context {
  readonly url: URL;
  /** Its place among the requests in progress. */
  readonly permit: Permit;
  /** As in the path, still percent-encoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

export type Match =
  | { readonly kind: 'found'; readonly route: Route; readonly parameters: Readonly<Record<string, string>> }
  | {
      readonly kind: 'other_method';
      readonly allow: string;
      /** A route of the path. */
      readonly route: Route;
      readonly parameters: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'unknown' };

interface Node {
  readonly literals: Map<string, Node>;
  parameter: { readonly name: string; readonly node: Node } | undefined;
  readonly routes: Map<string, Route>;
}

/** Finds routes by method and path in one step per segment. GET routes also answer HEAD. */
export class RouteTable {
  readonly #root = newNode();

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route);
  }

  match(method: string, pathname: string, deployment: Deployment): Match {
    const parameters: Record<string, string> = {};
    let node = this.#root;
    for (const segment of segmentsOf(pathname)) {
      const literal = node.literals.get(segment);
      if (literal !== undefined) {
        node = literal;
      } else if (node.parameter !== undefined && segment !== '') {
        parameters[node.parameter.name] = segment;
        node = node.parameter.node;
      } else {
        return { kind: 'unknown' };
      }
    }
    const route = node.routes.get(method === 'HEAD' ? 'GET' : method);
    if (route !== undefined && isIn(deployment, route)) return { kind: 'found', route, parameters };
    const routes = [...node.routes.values()].filter((other) => isIn(deployment, other));
    const [other] = routes;
    return other === undefined
      ? { kind: 'unknown' }
      : { kind: 'other_method', allow: allowOf(routes), route: other, parameters };
  }

  #add(route: Route): void {
    let node = this.#root;
    for (const segment of segmentsOf(route.path)) node = childOf(node, segment);
    if (node.routes.has(route.method)) throw new Error(`Two routes for ${route.method} ${route.path}`);
    node.routes.set(route.method, route);
  }
}

function isIn(deployment: Deployment, { deployments }: Route): boolean {
  return deployments?.includes(deployment) ?? true;
}

function newNode(): Node {
  return { literals: new Map(), parameter: undefined, routes: new Map() };
}

function segmentsOf(path: string): string[] {
  return path.slice(1).split('/');
}

function childOf(node: Node, segment: string): Node {
  const name = /^\{(\w+)\}$/.exec(segment)?.[1];
  if (name === undefined) {
    const child = node.literals.get(segment) ?? newNode();
    node.literals.set(segment, child);
    return child;
  }
  if (node.parameter !== undefined && node.parameter.name !== name)
    throw new Error(`Two names for one segment: ${name}`);
  node.parameter ??= { name, node: newNode() };
  return node.parameter.node;
}

/** The Allow header (RFC 9110 section 10.2.1). */
function allowOf(routes: readonly Route[]): string {
  const methods: string[] = routes.map(({ method }) => method);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
