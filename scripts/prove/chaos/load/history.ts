/* The requests of the clients and their answers, on one clock. The rules judge these and the rows of the databases. */

export const OPERATIONS = {
  token: 'POST /oauth/token',
  create: 'POST /v2/external/shipments',
  get: 'GET /v2/external/shipments/{shipmentId}',
  list: 'GET /v2/external/shipments',
  cancel: 'POST /v2/external/shipments/{shipmentId}/cancellations',
  retry: 'POST /v2/external/shipments/{shipmentId}/dispatch-retries',
  amend: 'POST /v2/external/shipments/{shipmentId}/amendments',
  link: 'POST /v2/external/shipments/{shipmentId}/tracking-links',
  revoke: 'DELETE /v2/external/shipments/{shipmentId}/tracking-links/{linkId}',
  follow: 'GET /v2/public/tracking/{token}',
  offers: 'GET /v2/driver/offers',
  carried: 'GET /v2/driver/shipments',
  drive: 'POST /v2/driver/shipments/{shipmentId}/actions',
  batch: 'POST /v2/external/shipment-batches',
  batchState: 'GET /v2/external/shipment-batches/{batchId}',
  batchItems: 'GET /v2/external/shipment-batches/{batchId}/items',
} as const;
export type OperationName = keyof typeof OPERATIONS;

/** The body of a creation. Decimals are in their shortest form, instants as in answers. */
export interface CreationBody {
  readonly externalReference: string;
  readonly branchCode: string;
  readonly pickupLocationCode: string;
  readonly recipient: { readonly name: string; readonly phone: string };
  readonly destination: CreationPlace;
  readonly declaredValue: string;
  readonly codAmount: string;
  readonly currency: string;
  readonly paymentMethod: string;
  readonly pickupWindowStart: string;
  readonly pickupWindowEnd: string;
  readonly items: readonly {
    readonly description: string;
    readonly quantity: string;
    readonly weightKilograms: string;
  }[];
  readonly requirements: readonly string[];
}

export interface CreationPlace {
  readonly addressLine: string;
  readonly cityCode: string;
  readonly latitude: string;
  readonly longitude: string;
}

/** The body of a batch. */
export interface BatchBody {
  readonly mode: 'CREATE' | 'VALIDATE';
  readonly onInvalid: 'SKIP' | 'STOP';
  readonly items: readonly BatchItemBody[];
}

export interface BatchItemBody {
  readonly key: string;
  readonly shipment: CreationBody;
}

/** The parts of a request that the rules need. */
export interface CallRequest {
  readonly operation: OperationName;
  readonly path: string;
  readonly body?: string;
  readonly shipmentId?: string;
  /** A version, or `*`. */
  readonly ifMatch?: string;
  readonly key?: string;
  readonly draft?: CreationBody;
  readonly batch?: BatchBody;
  /** The batch whose items this one repeats, or that is read. */
  readonly batchId?: string;
  /** Pages of one listing. */
  readonly walk?: string;
  /** The filter of that listing. */
  readonly reference?: string;
  /** Of an amendment. No other one has the same. */
  readonly instructions?: string;
  /** Of a driver's action: repeats have the same. */
  readonly actionId?: string;
  /** A driver's delivery with a name for the record. */
  readonly isSigned?: boolean;
  /** Sent before with the same key, so its answer may be an old one. */
  readonly isRepeat?: boolean;
  readonly linkId?: string;
  readonly token?: string;
}

/**
 * - `ok`: 2xx.
 * - `refused`: the answer says that nothing was done.
 * - `unknown`: no complete answer, 5xx, or 409 for a key whose first request is still running.
 */
export type Outcome = 'ok' | 'refused' | 'unknown';

export interface RecordedCall extends CallRequest {
  /** In the order of sending. */
  readonly index: number;
  readonly client: string;
  readonly companyId: string;
  /** The service writes it into every event of this request. */
  readonly correlationId: string;
  /** Milliseconds of a monotonic clock: before anything was sent, and after the answer was read. */
  readonly askedAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
  readonly status: number | undefined;
  readonly text: string;
  /** The parsed answer, with numbers as their text. Undefined when there is no complete answer. */
  readonly answer: unknown;
}

/** The client that reads everything when all work is finished. */
export const AUDITOR = 'auditor';

const IN_PROGRESS = 'IDEMPOTENCY_REQUEST_IN_PROGRESS';

export function outcomeOf(status: number | undefined, answer: unknown): Outcome {
  if (status === undefined || status >= 500) return 'unknown';
  if (status < 300) return 'ok';
  return memberOf(answer, 'code') === IN_PROGRESS ? 'unknown' : 'refused';
}

/** Parses JSON and keeps every number as its text. Undefined for invalid JSON. */
export function readExactly(text: string): unknown {
  try {
    return JSON.parse(text, function keepSpelling(this: unknown, _key: string, value: unknown, context?: Context) {
      return typeof value === 'number' ? (context?.source ?? String(value)) : value;
    });
  } catch {
    return undefined;
  }
}

interface Context {
  readonly source?: string;
}

/** A member that is a string. */
export function memberOf(value: unknown, name: string): string | undefined {
  const member: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof member === 'string' ? member : undefined;
}

/** The entries of a list's answer. */
export function entriesOf(answer: unknown): unknown[] {
  const data: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'data') : undefined;
  return Array.isArray(data) ? data : [];
}

export function nextCursorOf(answer: unknown): string | undefined {
  const page: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'page') : undefined;
  return memberOf(page, 'nextCursor');
}

/** The version and state of a shipment in an answer. */
export interface SeenShipment {
  readonly call: RecordedCall;
  readonly shipmentId: string;
  readonly version: number;
  readonly state: string;
  readonly value: unknown;
}

/** Every shipment in the answer. A replay repeats an old answer, and a driver's offer has no version. */
export function shipmentsSeenIn(call: RecordedCall): SeenShipment[] {
  if (call.outcome !== 'ok' || isReplay(call) || call.isRepeat === true) return [];
  const values = call.operation === 'list' || call.operation === 'carried' ? entriesOf(call.answer) : [call.answer];
  return values.flatMap((value) => {
    const [shipmentId, version, state] = ['shipmentId', 'version', 'state'].map((name) => memberOf(value, name));
    if (shipmentId === undefined || version === undefined || state === undefined) return [];
    return [{ call, shipmentId, version: Number(version), state, value }];
  });
}

export function isReplay({ operation, status }: RecordedCall): boolean {
  return operation === 'create' && status === 200;
}
