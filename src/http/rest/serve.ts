import type { AnswerType } from '../../../routers/request.ts';
import { type MediaContent, mediaContent } from '../../contract/media-asset.ts';
import { type DecimalPlaces, decimalPlacesOf, intoRest } from '../../contract/rest-numbers.ts';
import { fromBase64 } from '../../core/base64url.ts';
import { part } from '../../core/part.ts';
import { preferredType } from '../accept.ts';
import { hasCurrent, textTagOf } from '../conditional.ts';
import { problemResponse } from '../problem-response.ts';
import type { Draft, Exchange, Route } from '../route-table.ts';
import { callProcedure } from './call.ts';
import { type Column, columnsOfList, type ListOutput } from './columns.ts';
import { readInput } from './input.ts';
import { bodyBytesMaxOf, bodyValuesMaxOf, loggedForm, type RestOperation } from './operation.ts';

const csvPart = part(() => import('../../core/csv.ts'));
const waybillPart = part(() => import('../web/waybill/show.ts'));

type Send = (output: unknown, exchange: Exchange, mediaType: AnswerType) => Response | Promise<Response>;

/** What makes a response that is not JSON of the output, by its default media type. */
const SENDERS: Readonly<Partial<Record<AnswerType, Send>>> = {
  'text/html': async (output, ...way) => (await waybillPart()).showPrinted(output, ...way),
  'image/*': (output, exchange) => sendFile(mediaContent.parse(output), exchange),
};

/** An uploaded file, for a download: a browser that opens it as a page shows and runs nothing. */
function sendFile({ fileName, contentType, base64 }: MediaContent, { reply }: Exchange): Response {
  return new Response(fromBase64(base64), {
    headers: {
      'cache-control': 'no-store',
      ...reply.headers,
      'content-type': contentType,
      'content-disposition': `attachment; filename="${fileName}"`,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
  });
}

/**
 * The paths whose published contract limits Accept-Language, and so refuses a longer one. Browsers send longer ones, so all other
 * operations ignore what exceeds.
 */
const STATED_PATHS: ReadonlySet<string> = new Set([
  '/v2/external/shipments',
  '/v2/external/shipments/{shipmentId}',
  '/v2/external/shipment-price-estimates',
  '/v2/external/shipments/{shipmentId}/tracking-links/{linkId}',
  '/v2/external/branches',
  '/v2/external/pickup-locations',
  '/v2/external/sandbox/bootstrap',
  '/v2/external/sandbox/readiness',
  '/v2/merchant-registrations',
  '/v2/account-registrations/{registrationId}/documents/{documentType}',
  '/v2/account-registrations/{registrationId}/verifications',
  '/v2/merchant-api-credential',
  '/v2/company-authentication/assurance-elevations',
]);

/** The routes that serve operations of the REST interface. */
export function restRoutesOf(operations: readonly RestOperation[]): Route[] {
  return operations.map(routeOf);
}

function routeOf(operation: RestOperation): Route {
  const { method, path, parser, mediaTypes } = operation;
  const bytesMax = bodyBytesMaxOf([operation.meta]);
  const valuesMax = bodyValuesMaxOf([parser]);
  const places = decimalPlacesOf(parser.source);
  const refusesLongLanguage = STATED_PATHS.has(path);
  const reading = { parser, places, bytesMax, valuesMax, mediaTypes, refusesLongLanguage };
  const reply = replyOf(operation);
  const form = loggedForm(operation);
  return {
    method,
    path,
    deployments: operation.meta.deployments,
    endsInSecret: operation.meta.endsInSecret,
    formOf: () => form,
    async handle(request, exchange) {
      try {
        const output = await callProcedure(operation, exchange, () => readInput(request, exchange, reading));
        const answer = await reply(output, exchange, request);
        if (answer instanceof Response) return answer;
        const draft = operation.meta.isConditional === true ? await withTextTag(answer) : answer;
        return method === 'GET' && exchange.reply.isTagStale !== true ? unlessCurrent(request, draft) : draft;
      } catch (error) {
        return problemResponse(error, exchange);
      }
    },
  };
}

type Reply = (output: unknown, exchange: Exchange, request: Request) => Draft | Response | Promise<Draft | Response>;

/** Returns the function that turns an operation's output into its response. Throws if nothing makes one that is not JSON. */
function replyOf({ name, output, mediaTypes }: RestOperation): Reply {
  const places = decimalPlacesOf(output);
  if (mediaTypes[0] === 'application/json') {
    const columns = columnsOfList(output);
    if (columns === undefined) return (value, exchange) => replyJson(value, exchange, places);
    return (value, exchange, request) =>
      preferredType(request.headers.get('accept'), mediaTypes) === 'text/csv'
        ? replyCsv(intoRest(value, places), exchange, columns())
        : replyJson(value, exchange, places);
  }
  const send = SENDERS[mediaTypes[0]];
  if (send === undefined) throw new Error(`${name} does not answer JSON, and nothing makes its answer`);
  return (value, exchange, request) =>
    send(value, exchange, preferredType(request.headers.get('accept'), mediaTypes) ?? mediaTypes[0]);
}

function replyJson(
  output: unknown,
  { reply: { status = 200, headers } }: Exchange,
  places: DecimalPlaces | undefined,
): Draft {
  if (status === 204) return { status, headers, body: null };
  // The check of the output has made this value for this answer alone.
  const body = JSON.stringify(intoRest(output, places));
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

/** A page of a list as CSV, with the address of the next page in `Link` (RFC 8288). */
async function replyCsv(output: unknown, { url, reply }: Exchange, columns: readonly Column[]): Promise<Draft> {
  const { csvOf } = await csvPart();
  const { data, page } = output as ListOutput;
  const headers: Record<string, string> = {
    'content-type': 'text/csv; charset=utf-8; header=present',
    ...reply.headers,
    vary: 'Accept',
  };
  if (page.nextCursor !== null) {
    const query = new URLSearchParams(url.searchParams);
    query.set('cursor', page.nextCursor);
    headers['link'] = `<${url.pathname}?${query}>; rel="next"`;
  }
  return { status: 200, headers, body: csvOf(columns, data) };
}

/** The draft with a tag that is made of its text. */
async function withTextTag({ status, headers, body }: Draft): Promise<Draft> {
  return { status, headers: { ...headers, etag: await textTagOf(body ?? '') }, body };
}

/** 304 if the client has this representation already (RFC 9110 section 13.2.2). */
function unlessCurrent(request: Request, draft: Draft): Draft {
  const { etag } = draft.headers;
  if (etag === undefined || !hasCurrent(request.headers.get('if-none-match'), etag)) return draft;
  const { 'content-type': _contentType, ...headers } = draft.headers;
  return { status: 304, headers, body: null };
}
