import { layOut } from './layout.ts';
import {
  isVariable,
  plainText,
  type SampleBody,
  type SampleRequest,
  type SampleText,
  sentHeaders,
} from './sample-request.ts';

/** The code that every sample with the typed client needs first. */
export function clientSetUp(baseUrl: string): string {
  return `import { createMirsalClient } from 'mirsal-client';

const mirsal = createMirsalClient({
  baseUrl: ${quote(baseUrl)},
  clientId: process.env.MIRSAL_CLIENT_ID ?? '',
  clientSecret: process.env.MIRSAL_CLIENT_SECRET ?? '',
});`;
}

/** Whether a sample can use the typed client: a call with a client's token and without a file. */
export function isOfClient({ caller, operation, body }: SampleRequest): boolean {
  return caller === 'client' && operation.id !== undefined && body?.kind !== 'file';
}

/** A request in TypeScript: with the typed client if possible, otherwise with `fetch`. */
export function typeScriptSample(request: SampleRequest): string {
  return isOfClient(request) ? clientCall(request) : fetchCall(request);
}

function clientCall({ operation, input, hasAnswer }: SampleRequest): string {
  const verb = operation.method === 'GET' ? 'query' : 'mutate';
  const call = `await mirsal.${operation.id}.${verb}(${literal(input, { indent: '', isText: true })});`;
  return hasAnswer ? `const answer = ${call}\nconsole.log(answer);` : call;
}

function fetchCall(request: SampleRequest): string {
  const { operation, caller, address, body, hasAnswer } = request;
  const sent = sentHeaders(request).map(([name, value]) => [name, text(value)]);
  const all = caller === 'basic' ? [['Authorization', BASIC], ...sent] : sent;
  const lines = [
    operation.method === 'GET' ? '' : `  method: ${quote(operation.method)},\n`,
    all.length === 0
      ? ''
      : `  headers: {\n${all.map(([name = '', value]) => `    ${key(name)}: ${value},\n`).join('')}  },\n`,
    body === undefined ? '' : `  body: ${bodyText(body)},\n`,
  ].join('');
  const init = lines === '' ? '' : `, {\n${lines}}`;
  const before = body?.kind === 'file' ? "import { readFile } from 'node:fs/promises';\n\n" : '';
  const answer = hasAnswer ? 'console.log(response.status, await response.json());' : 'console.log(response.status);';
  return `${before}const response = await fetch(${text(address)}${init});\n${answer}`;
}

const BASIC = '`Basic ${btoa(`${process.env.MIRSAL_CLIENT_ID}:${process.env.MIRSAL_CLIENT_SECRET}`)}`';

function bodyText(body: SampleBody): string {
  if (body.kind === 'file') return `await readFile(${quote(body.name)})`;
  const value = body.kind === 'form' ? Object.fromEntries(body.members) : body.value;
  const written = literal(value, { indent: '  ', isText: body.kind === 'form' });
  return body.kind === 'form' ? `new URLSearchParams(${written})` : `JSON.stringify(${written})`;
}

/** A value as TypeScript code. With `isText`, a variable must be a string. */
function literal(value: unknown, { indent, isText }: { readonly indent: string; readonly isText: boolean }): string {
  const leaf = (one: unknown) => {
    if (isVariable(one)) return `process.env.${one.variable}${isText ? " ?? ''" : ''}`;
    if (typeof one === 'string') return quote(one);
    return typeof one !== 'object' || one === null ? String(one) : undefined;
  };
  return layOut(value, { key, leaf, hasLastComma: true }, indent);
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

function text(pieces: SampleText): string {
  const plain = plainText(pieces);
  if (plain !== undefined) return quote(plain);
  const inside = pieces.map((piece) =>
    isVariable(piece) ? `\${process.env.${piece.variable}}` : piece.replace(/[`$\\]/g, '\\$&'),
  );
  return `\`${inside.join('')}\``;
}

function quote(plain: string): string {
  return `'${plain.replace(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`;
}
