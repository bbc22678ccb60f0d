import { layOut } from './layout.ts';
import {
  CALLER_VARIABLES,
  hasVariable,
  isVariable,
  plainText,
  type SampleBody,
  type SampleRequest,
  type SampleText,
} from './sample-request.ts';

/** A request as a curl command. Values that readers fill in are shell variables. */
export function curlSample(request: SampleRequest): string {
  const { operation, caller, address, headers, body } = request;
  const method = operation.method === 'GET' ? '' : `-X ${operation.method} `;
  const lines = [`curl ${method}${word(address)}`, ...callerLines(caller)];
  for (const [name, value] of headers) lines.push(`-H ${word([`${name}: `, ...value])}`);
  lines.push(...bodyLines(body, operation.body?.mediaType ?? ''));
  return lines.join(' \\\n  ') + hereDocument(body);
}

function callerLines(caller: SampleRequest['caller']): readonly string[] {
  if (caller === 'none') return [];
  if (caller === 'basic') return ['-u "$MIRSAL_CLIENT_ID:$MIRSAL_CLIENT_SECRET"'];
  const name = caller === 'upload' ? 'Registration-Upload-Capability: ' : 'Authorization: Bearer ';
  return [`-H "${name}$${CALLER_VARIABLES[caller]}"`];
}

function bodyLines(body: SampleBody | undefined, mediaType: string): readonly string[] {
  if (body === undefined) return [];
  if (body.kind === 'form') return body.members.map(([name, value]) => `-d ${word([`${name}=`, textOf(value)])}`);
  const header = `-H ${word([`Content-Type: ${mediaType}`])}`;
  if (body.kind === 'file') return [header, `--data-binary @${body.name}`];
  return [header, hasVariable(body.value) ? '-d @- <<JSON' : `-d ${word([bodyJson(body.value)])}`];
}

/** A here-document, in which the shell expands variables and quotation marks need no escaping. */
function hereDocument(body: SampleBody | undefined): string {
  if (body?.kind !== 'json' || !hasVariable(body.value)) return '';
  return `\n${bodyJson(body.value)}\nJSON`;
}

/** A body as JSON text. Values that readers fill in are strings: `"$OTP"`. */
export function bodyJson(value: unknown): string {
  const leaf = (one: unknown) => {
    if (isVariable(one)) return `"$${one.variable}"`;
    return typeof one !== 'object' || one === null ? JSON.stringify(one) : undefined;
  };
  return layOut(value, { key: JSON.stringify, leaf, hasLastComma: false });
}

function textOf(value: unknown): SampleText[number] {
  return isVariable(value) ? value : String(value);
}

/** A POSIX shell word in which only variables are expanded. */
function word(text: SampleText): string {
  const plain = plainText(text);
  if (plain !== undefined) return `'${plain.replaceAll("'", "'\\''")}'`;
  return `"${text.map((piece) => (isVariable(piece) ? `$${piece.variable}` : piece.replace(/["$`\\]/g, '\\$&'))).join('')}"`;
}
