import type { LoggedRequest } from '../contract/request-log.ts';
import { cityCentre } from '../core/city-centres.ts';
import { parseStored } from '../core/json.ts';

/*
 * Hands a request of the log over to the form of its operation in the reference, within one tab. The log has masks in place of
 * personal and secret values, so nothing of that kind is stored, and the form takes these values from its example.
 */

export type SentAgain = Pick<
  LoggedRequest,
  'operation' | 'method' | 'path' | 'status' | 'requestHeaders' | 'requestBody'
>;

/** Where the browser keeps the request until the form has read it. The name begins like a draft's, so signing out deletes it. */
const PLACE = 'mirsal-draft-request-again';
/** A form that opens later was opened for something else. */
const KEPT_MS = 60_000;

interface HandedOver {
  readonly at: number;
  readonly request: SentAgain;
}

/** The anchor of an operation in the reference. */
export function operationAnchor(operation: string): string {
  return operation.replaceAll('.', '-').toLowerCase();
}

export function handOver(sent: SentAgain, at: number): void {
  const { operation, method, path, status, requestHeaders, requestBody } = sent;
  const request: SentAgain = { operation, method, path, status, requestHeaders, requestBody };
  try {
    const kept: HandedOver = { at, request };
    sessionStorage.setItem(PLACE, JSON.stringify(kept));
  } catch {
    // The browser stores nothing for this site. The form then has its example only.
  }
}

/** The request that was handed over for the operation at this anchor. */
export function handedOver(anchor: string, now: number): SentAgain | undefined {
  try {
    const kept = parseStored<HandedOver | null>(sessionStorage.getItem(PLACE) ?? 'null');
    if (kept === null || kept.at < now - KEPT_MS) return undefined;
    return operationAnchor(kept.request.operation) === anchor ? kept.request : undefined;
  } catch {
    return undefined;
  }
}

/** A request is opened once. */
export function forgetHandedOver(): void {
  try {
    sessionStorage.removeItem(PLACE);
  } catch {
    // There is nothing to remove.
  }
}

type Members = Readonly<Record<string, unknown>>;

/**
 * The body with variables in place of its references, and of the keys of a batch's items: each is used once. They are used
 * if the request succeeded, and perhaps if it failed. Of the refusals, only a conflict says that one is taken.
 */
export function withNewReferences(body: Members, status: number): Members {
  if (status >= 400 && status < 500 && status !== 409) return body;
  if (typeof body['externalReference'] === 'string') return { ...body, externalReference: '$EXTERNAL_REFERENCE' };
  const items: unknown[] = Array.isArray(body['items']) ? body['items'] : [];
  const renewed = items.map((item, index) => {
    const shipment = isObject(item) ? item['shipment'] : undefined;
    if (!isObject(item) || !isObject(shipment) || typeof shipment['externalReference'] !== 'string') return item;
    const externalReference = `$EXTERNAL_REFERENCE-${index + 1}`;
    return { ...item, key: `$IDEMPOTENCY_KEY-${index + 1}`, shipment: { ...shipment, externalReference } };
  });
  return renewed.some((item, index) => item !== items[index]) ? { ...body, items: renewed } : body;
}

/** A body whose masks are replaced, and the paths of the members that have an example or are left out. */
export interface FilledBody {
  readonly body: unknown;
  readonly examples: readonly string[];
  readonly leftOut: readonly string[];
}

/**
 * The masked body with examples. A mask takes the example at its own place, or that of a member with its name elsewhere, if it
 * has the type that was sent. A member without an example is left out, but an unknown one stays, as null.
 */
export function fillBody(masked: unknown, example: unknown): FilledBody {
  const named = membersByName(example);
  const examples: string[] = [];
  const leftOut: string[] = [];
  const fill = (value: unknown, at: unknown, { path, name }: { path: string; name: string }): unknown => {
    if (typeof value === 'string' && value.startsWith('<')) {
      const found = [placeOf(masked, path), at, named.get(name)].find((one) => value.startsWith(`<${typeOf(one)}`));
      const isKept = found !== undefined || value === '<unknown>';
      (isKept ? examples : leftOut).push(path);
      return isKept ? (found ?? null) : undefined;
    }
    if (Array.isArray(value)) {
      const items: unknown[] = Array.isArray(at) ? at : [];
      return value
        .map((item, index) => fill(item, items[index] ?? items[0], { path: `${path}[${index}]`, name }))
        .filter((item) => item !== undefined);
    }
    if (!isObject(value)) return value;
    const members = Object.entries(value).map(([member, each]) => {
      const next = { path: path === '' ? member : `${path}.${member}`, name: member };
      return [member, fill(each, isObject(at) ? at[member] : undefined, next)] as const;
    });
    // JSON has no member that is undefined.
    return Object.fromEntries(members);
  };
  return { body: fill(masked, example, { path: '', name: '' }), examples, leftOut };
}

/** The centre of the city that the request names, in place of hidden coordinates: those of the example are in one city. */
function placeOf(masked: unknown, path: string): unknown {
  const [, parent, name] = /^(destination|delivery)\.(latitude|longitude)$/.exec(path) ?? [];
  if (parent === undefined || !isObject(masked)) return undefined;
  const { destination, destinationCityCode } = masked;
  const code = isObject(destination) ? destination['cityCode'] : destinationCityCode;
  return typeof code === 'string' ? cityCentre(code)?.[name === 'latitude' ? 'latitude' : 'longitude'] : undefined;
}

/** The first value of each member name, at any depth. */
function membersByName(value: unknown, found = new Map<string, unknown>()): ReadonlyMap<string, unknown> {
  if (Array.isArray(value)) for (const item of value) membersByName(item, found);
  else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      if (!found.has(name)) found.set(name, member);
      membersByName(member, found);
    }
  }
  return found;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The type in the words of the masks. */
function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === undefined || value === null ? 'none' : typeof value;
}
