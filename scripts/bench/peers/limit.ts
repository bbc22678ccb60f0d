import { estimate } from './limit-estimate.ts';
import { execute } from './limit-pipeline.ts';
import { issueToken, type TokenEnvironment } from './limit-token.ts';
import { type TrackingEnvironment, track } from './limit-tracking.ts';

/*
 * The limit: the most that this database, runtime and machine can do, shown by a Worker that only runs its one query.
 * It has the service's SQL and answers the same bytes, without router, token, schema, checks, log and headers. An
 * estimate has no query; it parses the JSON body, checks one schema and calculates.
 */

interface Environment extends TokenEnvironment, TrackingEnvironment {
  /** libSQL's `/v3/pipeline`. */
  readonly PIPELINE: string;
  /** The service's own statements: SQL with arguments. */
  readonly GET: string;
  readonly LIST: string;
}

interface Cell {
  readonly type: 'null' | 'text' | 'integer' | 'float';
  readonly value?: string;
}
type Row = readonly Cell[];
interface Result {
  readonly cols: readonly { readonly name: string }[];
  readonly rows: readonly Row[];
}

const PATH = '/v2/external/shipments';
const TOKEN = '/oauth/token';
const TRACKING = '/v2/public/tracking/';
const ESTIMATES = '/v2/external/shipment-price-estimates';
/** The placeholder for the id in the GET statement. */
const ID_MARK = '00000000-0000-0000-0000-000000000000';
const PAGE = 25;

export default {
  async fetch(request: Request, environment: Environment): Promise<Response> {
    const path = new URL(request.url).pathname;
    if (path === '/health') return new Response('{}');
    if (path === PATH) return answer(page(await query(environment, environment.LIST)));
    if (path === ESTIMATES) {
      const estimated = estimate(await request.text());
      return estimated === undefined ? new Response(null, { status: 422 }) : answer(estimated);
    }
    if (path === TOKEN) return issueToken(request, environment);
    if (path.startsWith(TRACKING)) return track(path.slice(TRACKING.length), environment);
    const id = path.slice(PATH.length + 1);
    const [row] = await query(environment, environment.GET.replace(ID_MARK, id));
    return row === undefined ? new Response(null, { status: 404 }) : answer(present(row));
  },
};

function answer(body: unknown): Response {
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
}

let columns: ReadonlyMap<string, number> = new Map();

async function query(environment: Environment, statement: string): Promise<readonly Row[]> {
  const [result] = await execute<Result>(environment.PIPELINE, [statement]);
  const { cols = [], rows = [] } = result ?? {};
  if (columns.size === 0) columns = new Map(cols.map(({ name }, index) => [name, index]));
  return rows;
}

/** The service's page, with a cursor as long as its sealed one: position, nonce and tag in base64url. */
function page(rows: readonly Row[]) {
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  const hasMore = rows.length > PAGE && last !== undefined;
  const nextCursor = hasMore ? cursorOf(text(last, 'created_at'), text(last, 'id')) : null;
  return { data: shown.map(present), page: { nextCursor, hasMore } };
}

const NONCE_AND_TAG = '\0'.repeat(12 + 16);

function cursorOf(createdAt: string, id: string): string {
  const position = JSON.stringify([createdAt, id]);
  return btoa(NONCE_AND_TAG + position)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function present(row: Row) {
  const number = (name: string) => Number(text(row, name));
  const instant = (name: string) => instantOf(text(row, name));
  return {
    shipmentId: text(row, 'id'),
    shipmentNumber: text(row, 'shipment_number'),
    externalReference: text(row, 'external_reference'),
    state: text(row, 'state'),
    recipientName: text(row, 'recipient_name'),
    maskedRecipientPhone: `********${text(row, 'recipient_phone').slice(-4)}`,
    totalWeightKilograms: number('total_weight_kilograms'),
    declaredValue: number('declared_value'),
    codAmount: number('cod_amount'),
    currency: text(row, 'currency'),
    paymentMethod: text(row, 'payment_method'),
    pickupWindowStart: instant('pickup_window_start'),
    pickupWindowEnd: instant('pickup_window_end'),
    createdAt: instant('created_at'),
    approvedAt: cell(row, 'approved_at') === undefined ? null : instant('approved_at'),
    version: number('version'),
    destination: placeOf(text(row, 'destination')),
    pickup: placeOf(text(row, 'pickup')),
    items: itemsOf(text(row, 'items')),
    requirements: JSON.parse(text(row, 'requirements')) as unknown,
  };
}

function cell(row: Row, name: string): string | undefined {
  return row[columns.get(name) ?? -1]?.value;
}

function text(row: Row, name: string): string {
  return cell(row, name) ?? '';
}

/** Microseconds since 1970 to RFC 3339. */
function instantOf(micros: string): string {
  const value = Number(micros);
  const millis = Math.floor(value / 1000);
  return `${new Date(millis).toISOString().slice(0, -1)}${String(value - millis * 1000).padStart(3, '0')}Z`;
}

function placeOf(stored: string) {
  const place = JSON.parse(stored) as { latitude: string | number; longitude: string | number };
  place.latitude = Number(place.latitude);
  place.longitude = Number(place.longitude);
  return place;
}

const MEASURES = ['weightKilograms', 'lengthCentimetres', 'widthCentimetres', 'heightCentimetres'];

function itemsOf(stored: string) {
  const items = JSON.parse(stored) as Record<string, unknown>[];
  for (const item of items) {
    for (const name of MEASURES) {
      if (typeof item[name] === 'string') item[name] = Number(item[name]);
    }
  }
  return items;
}
