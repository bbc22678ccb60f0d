import { type DecimalPlaces, decimalPlacesOf, toRest } from '../../contract/rest-numbers.ts';
import { waybill } from '../../contract/shipment.ts';
import { hasCurrent, textTagOf } from '../conditional.ts';
import { problemResponse } from '../problem-response.ts';
import type { Exchange, Route } from '../route-table.ts';
import { showWaybill } from '../web/waybill/show.ts';
import { callProcedure } from './call.ts';
import { readInput } from './input.ts';
import { bodyBytesMaxOf, OPERATIONS, type RestOperation } from './routes.ts';

/** Operations whose response is a page, and the function that renders it. */
const PAGES: Readonly<Record<string, (output: unknown, exchange: Exchange) => Promise<Response>>> = {
  'shipments.waybill': (output, exchange) => showWaybill(waybill.parse(output), exchange),
};

/** The routes that serve the operations of the REST interface. */
export const restRoutes: readonly Route[] = OPERATIONS.map((operation) => {
  const { method, path, parser, mediaType } = operation;
  const bytesMax = bodyBytesMaxOf([operation.name]);
  const reading = { parser, places: decimalPlacesOf(parser.source), bytesMax, mediaType };
  const reply = replyOf(operation);
  return {
    method,
    path,
    deployments: operation.meta.deployments,
    endsInSecret: operation.meta.endsInSecret,
    async handle(request, exchange) {
      try {
        const output = await callProcedure(operation, exchange, () => readInput(request, exchange, reading));
        const response = await reply(output, exchange);
        const tagged = operation.meta.isConditional === true ? await withTextTag(response) : response;
        return method === 'GET' && exchange.reply.isTagStale !== true ? unlessCurrent(request, tagged) : tagged;
      } catch (error) {
        return problemResponse(error, exchange);
      }
    },
  };
});

type Reply = (output: unknown, exchange: Exchange) => Response | Promise<Response>;

/** Returns the function that turns an operation's output into its response. Throws if a page has no renderer. */
function replyOf({ name, output, mediaType }: RestOperation): Reply {
  const places = decimalPlacesOf(output);
  if (mediaType === 'application/json') return (value, exchange) => replyJson(value, exchange, places);
  const show = PAGES[name];
  if (show === undefined) throw new Error(`${name} answers a page, and there is none`);
  return show;
}

function replyJson(
  output: unknown,
  { reply: { status = 200, headers } }: Exchange,
  places: DecimalPlaces | undefined,
): Response {
  if (status === 204) return new Response(null, { status, headers });
  return new Response(JSON.stringify(toRest(output, places)), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** The response with a tag that is made of its text. */
async function withTextTag(response: Response): Promise<Response> {
  const text = await response.text();
  const headers = new Headers(response.headers);
  headers.set('etag', await textTagOf(text));
  return new Response(text, { headers });
}

/** 304 if the client has this representation already (RFC 9110 section 13.2.2). */
function unlessCurrent(request: Request, response: Response): Response {
  const etag = response.headers.get('etag');
  if (etag === null || !hasCurrent(request.headers.get('if-none-match'), etag)) return response;
  const headers = new Headers(response.headers);
  headers.delete('content-type');
  return new Response(null, { status: 304, headers });
}
