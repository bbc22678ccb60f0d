import type * as z from 'zod';
import { maskOf } from '../../contract/loggable.ts';
import { type LoggedRequest, problemMembers } from '../../contract/request-log.ts';
import { formatInstant, instantFromMillis } from '../../core/instant.ts';
import type { Refusal } from '../../core/result.ts';
import { loggedNameOf } from '../../core/text.ts';
import { millisOf, parseUuid, type Uuid } from '../../core/uuid.ts';

/** A procedure as the log needs it: its address on REST, and the schemas that decide what is kept. */
export interface LoggedForm {
  readonly method: string;
  /** The template of its path. */
  readonly path: string;
  readonly input: z.core.$ZodType;
  readonly places: ReadonlyMap<string, 'path' | 'query' | 'header' | 'body'>;
  /** Names of headers by the names of members. */
  readonly headerOf: ReadonlyMap<string, string>;
  /** Whether the body is bytes, of which nothing is kept. */
  readonly isRaw: boolean;
  readonly output: z.core.$ZodType;
}

/** A call of a procedure that was answered. */
export interface AnsweredCall {
  readonly requestId: Uuid;
  readonly correlationId: Uuid;
  readonly companyId: Uuid;
  readonly source: LoggedRequest['source'];
  readonly clientId: string | null;
  readonly operation: string;
  /** Undefined if the request was answered before it was read. */
  readonly input: unknown;
  readonly output: unknown;
  readonly refusal: Refusal | undefined;
  /** Parameters of the path, as sent. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly isHead: boolean;
  readonly isRead: boolean;
  readonly status: number;
  readonly durationMs: number;
  readonly replayed: boolean;
  readonly bytes: number | null;
  /** Asked for only if the call is kept. Undefined for an unknown procedure. */
  readonly form: () => LoggedForm | undefined;
}

/** What is known of a call at once. The rest is added when it is written. */
type Described = Omit<LoggedRequest, 'repeats' | 'idempotencyKeyHash'>;

/** Longer entries lose the response's body, and then the request's. */
const ENTRY_CHARACTERS_MAX = 8192;

/** The call as one line of the log, with masked values; undefined for an unknown procedure. */
export function describeCall(call: AnsweredCall): string | undefined {
  const form = call.form();
  if (form === undefined) return undefined;
  const sent = membersOf(call.input);
  const shown = membersOf(maskOf(form.input)({ ...call.parameters, ...sent }));
  const output = maskOf(form.output)(call.output);
  const responseBody = call.refusal === undefined ? bodyOf(output) : problemOf(call.refusal);
  const entry: Described = {
    requestId: call.requestId,
    correlationId: call.correlationId,
    at: formatInstant(instantFromMillis(millisOf(call.requestId))),
    source: call.source,
    method: call.isHead ? 'HEAD' : (form.method as LoggedRequest['method']),
    path: pathOf(form, shown),
    operation: call.operation,
    status: call.status,
    code: call.refusal?.code ?? null,
    durationMs: Math.round(call.durationMs),
    clientId: call.clientId,
    replayed: call.replayed,
    requestHeaders: headersOf(form, shown),
    requestBody: form.isRaw ? null : requestBodyOf(form, shown),
    responseBody,
    bytes: call.bytes,
    shipmentId: idOf([sent, membersOf(call.output)]),
    externalReference: referenceOf([shown, membersOf(output)]),
  };
  for (const dropped of [{}, { responseBody: null }, { responseBody: null, requestBody: null }]) {
    const text = JSON.stringify({ ...entry, ...dropped });
    if (text.length <= ENTRY_CHARACTERS_MAX) return text;
  }
  return undefined;
}

/** The idempotency key of the call. Only its hash is stored. */
export function keyOf({ input }: AnsweredCall): string | undefined {
  const key = membersOf(input)['idempotencyKey'];
  return typeof key === 'string' ? key : undefined;
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function bodyOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? { ...value } : null;
}

/** The path with ids and other loggable values. Hidden values, and those that were not read, stand as `<name>`. */
function pathOf({ path, places }: LoggedForm, shown: Members): string {
  const valueOf = (name: string) => {
    const value = shown[name];
    const isKept = typeof value === 'number' || (typeof value === 'string' && !isHidden(value));
    return isKept ? encodeURIComponent(String(value)) : `<${name}>`;
  };
  const query = [...places]
    .filter(([name, place]) => place === 'query' && name in shown)
    .map(([name]) => `${name}=${valueOf(name)}`);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => valueOf(name));
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

/** Whether a value of a line is a mask. A loggable text has no `<`. */
export function isHidden(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('<');
}

function headersOf({ places, headerOf }: LoggedForm, shown: Members): Record<string, string> {
  const headers = [...places].filter(([name, place]) => place === 'header' && name in shown);
  return Object.fromEntries(headers.map(([name]) => [headerOf.get(name) ?? name, String(shown[name])]));
}

/** The body: every member that is no parameter, unknown ones among them. Null if there is none. */
function requestBodyOf({ places }: LoggedForm, shown: Members): Record<string, unknown> | null {
  const members = Object.entries(shown).filter(([name]) => (places.get(name) ?? 'body') === 'body');
  return members.length === 0 ? null : Object.fromEntries(members);
}

/** The code and the violations of a problem. A violation's field may end with the name of an unknown property. */
function problemOf({ code, violations, members }: Refusal): Record<string, unknown> {
  return {
    code,
    ...(violations === undefined
      ? {}
      : { violations: violations.map(({ field, code: fault }) => ({ field: fieldOf(field), code: fault })) }),
    ...membersOf(maskOf(problemMembers)(members ?? {})),
  };
}

/** Longer than the path of any member. */
const FIELD_MAX = 96;

/** The path of a member, with `<name N>` for an unknown one that may be a person's data. */
function fieldOf(field: string): string {
  const parts = field.split(/(?=[.[])|(?<=\.)/);
  const shown = parts.map((part) => (part === '.' || /^\[\d{1,4}\]$/.test(part) ? part : loggedNameOf(part)));
  return shown.join('').slice(0, FIELD_MAX);
}

function idOf(places: readonly Members[]): Uuid | null {
  for (const { shipmentId } of places) if (typeof shipmentId === 'string') return parseUuid(shipmentId) ?? null;
  return null;
}

function referenceOf(places: readonly Members[]): string | null {
  const reference = places.map(({ externalReference }) => externalReference).find((value) => value !== undefined);
  return typeof reference === 'string' && !isHidden(reference) ? reference : null;
}
