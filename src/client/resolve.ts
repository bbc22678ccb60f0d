import type { FailedEnd } from './attempts.ts';
import { isRecord } from './problem.ts';

interface Resolver {
  /** The query that shows what an earlier attempt did. */
  readonly reads: string;
  readonly by: readonly string[];
  /** The members of the input that the resource has if the call was done. */
  readonly sets: readonly string[];
}

/** Changes of one version without a key. If the first answer was lost, the second attempt is refused, because the first one was done. */
const RESOLVERS: Readonly<Record<string, Resolver>> = {
  'webhookEndpoints.update': {
    reads: 'webhookEndpoints.get',
    by: ['endpointId'],
    sets: ['url', 'description', 'eventTypes', 'enabled'],
  },
  'shipmentMetadata.replace': { reads: 'shipmentMetadata.get', by: ['shipmentId'], sets: ['metadata'] },
};
/** A thing that is gone after an attempt without an answer was deleted by it. */
const DELETIONS: ReadonlySet<string> = new Set(['webhookEndpoints.delete', 'trackingLinks.revoke']);

/** What the call would have been answered, if its own earlier attempt was done. Undefined if that is not known. */
export async function resolvedAfter(
  { facts, attempts, outcome }: FailedEnd,
  { path, input }: { readonly path: string; readonly input: unknown },
  read: (path: string, input: object) => Promise<unknown>,
): Promise<{ readonly value: unknown } | undefined> {
  if (attempts < 2 || outcome !== 'unknown' || !isRecord(input)) return undefined;
  if (facts.code === 'RESOURCE_NOT_FOUND' && DELETIONS.has(path)) return { value: undefined };
  const resolver = RESOLVERS[path];
  if (facts.code !== 'PRECONDITION_FAILED' || resolver === undefined) return undefined;
  const pick = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, input[name]]));
  const found = await read(resolver.reads, pick(resolver.by)).catch(() => undefined);
  if (!isRecord(found)) return undefined;
  const isNext = `"${Number(found['version']) - 1}"` === input['ifMatch'];
  const shown: Readonly<Record<string, unknown>> = { enabled: found['state'] === 'ENABLED', ...found };
  const isSet = resolver.sets.every((name) => input[name] === undefined || isEqual(input[name], shown[name]));
  return isNext && isSet ? { value: found } : undefined;
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
