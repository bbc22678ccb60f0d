import { callTRPCProcedure } from '@trpc/server';
import { appRouter } from '../../../routers/index.ts';
import type { RawBody, RawContent } from '../../../routers/request.ts';
import { parseJson } from '../../core/json.ts';
import { Problem } from '../../core/problem.ts';
import { refuse } from '../../core/result.ts';
import { readDocument, type Sent } from '../body.ts';
import { refuseExcess } from '../rest/input.ts';
import { OPERATIONS } from '../rest/routes.ts';
import type { Exchange } from '../route-table.ts';

/*
 * A procedure that takes bytes is called with a form instead of JSON: `input` has its other members as JSON, `content`
 * the bytes with their type. This file reads the form, because tRPC would report a malformed form as a bug.
 */

const RAW: ReadonlyMap<string, RawBody> = new Map(
  OPERATIONS.flatMap(({ name, parser }) => (parser.raw === undefined ? [] : [[name, parser.raw]])),
);

/** Whether a request calls a procedure that takes bytes. */
export function isUpload(request: Request, procedures: string): boolean {
  const type = request.headers.get('content-type') ?? '';
  return request.method === 'POST' && RAW.has(procedures) && /^multipart\/form-data\s*;/i.test(type);
}

/** Answers such a call. Throws if the call is refused. */
export async function serveUpload(request: Request, exchange: Exchange, procedure: string): Promise<Response> {
  const raw = RAW.get(procedure);
  if (raw === undefined) throw new Problem(refuse('ROUTE_NOT_FOUND'));
  const data: unknown = await callTRPCProcedure({
    router: appRouter,
    path: procedure,
    // Read lazily, like every input: the body of a client without rights is not read.
    getRawInput: () => readForm({ request, permit: exchange.permit }, raw),
    ctx: { ...exchange, face: 'trpc' },
    type: 'mutation',
    signal: undefined,
    batchIndex: 0,
  });
  return new Response(JSON.stringify({ result: { data } }), { headers: { 'content-type': 'application/json' } });
}

/** The rest of a form besides the bytes: boundaries, and parameters of a few hundred characters. */
const FORM_BYTES_MAX = 16 * 1024;

async function readForm(sent: Sent, { contentTypes, bytesMax }: RawBody): Promise<unknown> {
  const form = await formOf(sent, bytesMax + FORM_BYTES_MAX);
  const [input, file] = [form?.get('input'), form?.get('content')];
  if (typeof input === 'string') refuseExcess(new TextEncoder().encode(input), { valuesMax: FORM_BYTES_MAX });
  const members = typeof input === 'string' ? parseJson(input) : undefined;
  if (form === undefined || members?.ok !== true || !(file instanceof Blob))
    throw new Problem(refuse('DOCUMENT_CONTENT_MISMATCH'));
  const contentType = contentTypes.find((type) => type === file.type);
  if (contentType === undefined) throw new Problem(refuse('UNSUPPORTED_DOCUMENT_TYPE', { members: { contentTypes } }));
  if (file.size > bytesMax) throw new Problem(refuse('DOCUMENT_TOO_LARGE'));
  const content: RawContent = { contentType, bytes: new Uint8Array(await file.arrayBuffer()) };
  return { ...Object(members.value), content };
}

/** The form in a body, or undefined if it is not a form. */
async function formOf(sent: Sent, bytesMax: number): Promise<FormData | undefined> {
  const body = await readDocument(sent, bytesMax);
  const headers = { 'content-type': sent.request.headers.get('content-type') ?? '' };
  try {
    return await new Response(body, { headers }).formData();
  } catch {
    return undefined;
  }
}
