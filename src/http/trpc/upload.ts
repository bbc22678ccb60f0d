import { callTRPCProcedure } from '@trpc/server';
import { appRouter } from '../../../routers/index.ts';
import type { RawBody, RawContent } from '../../../routers/request.ts';
import { Problem } from '../../core/problem.ts';
import { refuse } from '../../core/result.ts';
import { readDocument, refuseCoding, type Sent } from '../body.ts';
import { OPERATIONS } from '../rest/routes.ts';
import type { Exchange } from '../route-table.ts';
import { jsonOf, malformed, repeated } from '../sent-text.ts';

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
  refuseCoding(sent.request, 'UNSUPPORTED_DOCUMENT_TYPE');
  const body = await readDocument(sent, bytesMax + FORM_BYTES_MAX);
  const form = await formOf(body, sent.request);
  const [input, file] = [form?.get('input'), form?.get('content')];
  if (form === undefined || typeof input !== 'string' || !(file instanceof Blob))
    throw new Problem(refuse('DOCUMENT_CONTENT_MISMATCH'));
  for (const name of ['input', 'content']) if (form.getAll(name).length > 1) throw malformed(repeated(name));
  const members = jsonOf(bytesOfPart(input, body), { valuesMax: FORM_BYTES_MAX });
  const contentType = contentTypes.find((type) => type === file.type);
  if (contentType === undefined) throw new Problem(refuse('UNSUPPORTED_DOCUMENT_TYPE', { members: { contentTypes } }));
  if (file.size > bytesMax) throw new Problem(refuse('DOCUMENT_TOO_LARGE'));
  const content: RawContent = { contentType, bytes: new Uint8Array(await file.arrayBuffer()) };
  return { ...Object(members), content };
}

/** What a decoder puts in the place of bytes that are not UTF-8. A client may also send it. */
const REPLACEMENT = '\ufffd';

/**
 * The bytes of a text in a form; 400 if they were not UTF-8. The runtime has replaced such bytes, and then the text in UTF-8 stands
 * nowhere in the body.
 */
function bytesOfPart(text: string, body: Uint8Array): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  if (text.includes(REPLACEMENT) && !latin1.decode(body).includes(latin1.decode(bytes)))
    throw malformed({ text: 'partNotUtf8', values: { name: 'input' } });
  return bytes;
}

const latin1 = new TextDecoder('latin1');

/** The form in a body, or undefined if it is not a form. */
async function formOf(body: Uint8Array<ArrayBuffer>, { headers }: Request): Promise<FormData | undefined> {
  const type = { 'content-type': headers.get('content-type') ?? '' };
  try {
    return await new Response(body, { headers: type }).formData();
  } catch {
    return undefined;
  }
}
