import { callTRPCProcedure } from '@trpc/server';
import { appRouter } from '../../../routers/index.ts';
import type { RawBody, RawContent } from '../../../routers/request.ts';
import { parseJson } from '../../core/json.ts';
import { Problem } from '../../core/problem.ts';
import { refuse } from '../../core/result.ts';
import { readDocument, type Sent } from '../body.ts';
import { OPERATIONS } from '../rest/routes.ts';
import type { Exchange } from '../route-table.ts';

/*
 * A procedure that takes bytes is called with a form instead of JSON: `input` holds its other members as JSON, `content`
 * the bytes with their type. The form is read here and not by tRPC, which would call a broken one a bug of ours.
 */

const RAW: ReadonlyMap<string, RawBody> = new Map(
  OPERATIONS.flatMap(({ name, parser }) => (parser.raw === undefined ? [] : [[name, parser.raw]])),
);

/** Whether a request is a call with bytes. */
export function isUpload(request: Request, procedures: string): boolean {
  const type = request.headers.get('content-type') ?? '';
  return request.method === 'POST' && RAW.has(procedures) && /^multipart\/form-data\s*;/i.test(type);
}

/** Answers such a call; throws what refused it. */
export async function serveUpload(request: Request, exchange: Exchange, procedure: string): Promise<Response> {
  const raw = RAW.get(procedure);
  if (raw === undefined) throw new Problem(refuse('ROUTE_NOT_FOUND'));
  const data: unknown = await callTRPCProcedure({
    router: appRouter,
    path: procedure,
    // Read lazily, like every input: a caller without rights sends nothing that anybody looks at.
    getRawInput: () => readForm({ request, permit: exchange.permit }, raw),
    ctx: exchange,
    type: 'mutation',
    signal: undefined,
    batchIndex: 0,
  });
  return new Response(JSON.stringify({ result: { data } }), { headers: { 'content-type': 'application/json' } });
}

/** What stands in a form beside the bytes: boundaries, and parameters of a few hundred characters. */
const FORM_BYTES_MAX = 16 * 1024;

async function readForm(sent: Sent, { contentTypes, bytesMax }: RawBody): Promise<unknown> {
  const form = await formOf(sent, bytesMax + FORM_BYTES_MAX);
  const [input, file] = [form?.get('input'), form?.get('content')];
  const members = typeof input === 'string' ? parseJson(input) : undefined;
  if (form === undefined || members?.ok !== true || !(file instanceof Blob))
    throw new Problem(refuse('DOCUMENT_CONTENT_MISMATCH'));
  const contentType = contentTypes.find((type) => type === file.type);
  if (contentType === undefined) throw new Problem(refuse('UNSUPPORTED_DOCUMENT_TYPE'));
  if (file.size > bytesMax) throw new Problem(refuse('DOCUMENT_TOO_LARGE'));
  const content: RawContent = { contentType, bytes: new Uint8Array(await file.arrayBuffer()) };
  return { ...Object(members.value), content };
}

/** The form that a body is, if it is one. */
async function formOf(sent: Sent, bytesMax: number): Promise<FormData | undefined> {
  const body = await readDocument(sent, bytesMax);
  const headers = { 'content-type': sent.request.headers.get('content-type') ?? '' };
  try {
    return await new Response(body, { headers }).formData();
  } catch {
    return undefined;
  }
}
