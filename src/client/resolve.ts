import type { FailedEnd } from './attempts.ts';
import { isRecord } from './problem.ts';

const CHANGED = ['url', 'description', 'eventTypes', 'enabled'] as const;

/** What is known of a call whose own earlier attempt had no answer: its answer, or only that it was done. */
export type Resolution = { readonly answer: unknown } | 'done';

/**
 * Asks whether an attempt without an answer did what the call asked for. Undefined if that is not known. All other calls that may
 * be repeated have a key, or are answered again as they were.
 */
export async function resolvedAfter(
  { facts, attempts, outcome }: FailedEnd,
  { path, input }: { readonly path: string; readonly input: unknown },
  read: (path: string, input: object) => Promise<unknown>,
): Promise<Resolution | undefined> {
  if (attempts < 2 || outcome !== 'unknown' || !isRecord(input)) return undefined;
  if (path === 'webhookEndpoints.delete' && facts.code === 'RESOURCE_NOT_FOUND') return { answer: null };
  if (path !== 'webhookEndpoints.update' || facts.code !== 'PRECONDITION_FAILED') return undefined;
  const found = await read('webhookEndpoints.get', { endpointId: input['endpointId'] }).catch(() => undefined);
  if (!isRecord(found) || `"${Number(found['version']) - 1}"` !== input['ifMatch']) return undefined;
  const shown: Readonly<Record<string, unknown>> = { enabled: found['state'] === 'ENABLED', ...found };
  const isSet = CHANGED.every((name) => input[name] === undefined || isEqual(input[name], shown[name]));
  if (!isSet) return undefined;
  // Its answer also says how many requests were still on their way to the old address. Nobody knows that any more.
  return input['url'] !== undefined || input['enabled'] === false ? 'done' : { answer: found };
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
