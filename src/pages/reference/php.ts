import { layOut } from './layout.ts';
import { isVariable, type SampleBody, type SampleRequest, type SampleText, sentHeaders } from './sample-request.ts';

/** A request in PHP, with its extension for curl. */
export function phpSample(request: SampleRequest): string {
  const { operation, caller, address, body } = request;
  const headers = sentHeaders(request).map(([name, value]) => `        ${text([`${name}: `, ...value])},\n`);
  const lines = [
    `    CURLOPT_CUSTOMREQUEST => '${operation.method}',\n`,
    caller === 'basic' ? `    CURLOPT_USERPWD => ${text(BASIC)},\n` : '',
    headers.length === 0 ? '' : `    CURLOPT_HTTPHEADER => [\n${headers.join('')}    ],\n`,
    body === undefined ? '' : `    CURLOPT_POSTFIELDS => ${bodyText(body)},\n`,
    '    CURLOPT_RETURNTRANSFER => true,\n',
  ].join('');
  return `$request = curl_init(${text(address)});
curl_setopt_array($request, [
${lines}]);
$answer = curl_exec($request);
echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;`;
}

const BASIC: SampleText = [{ variable: 'MIRSAL_CLIENT_ID' }, ':', { variable: 'MIRSAL_CLIENT_SECRET' }];

function bodyText(body: SampleBody): string {
  if (body.kind === 'file') return `file_get_contents(${quote(body.name)})`;
  if (body.kind === 'json') return `json_encode(${literal(body.value)})`;
  return `http_build_query(${literal(Object.fromEntries(body.members))})`;
}

function literal(value: unknown): string {
  const leaf = (one: unknown) => {
    if (isVariable(one)) return `getenv('${one.variable}')`;
    if (typeof one === 'string') return quote(one);
    if (typeof one !== 'object' || one === null) return String(one);
    // An empty array would become a list.
    return !Array.isArray(one) && Object.keys(one).length === 0 ? 'new stdClass()' : undefined;
  };
  return layOut(value, { key: quote, leaf, hasLastComma: true, object: { open: '[', close: ']', is: ' => ' } }, '    ');
}

/** Neighbouring texts become one. */
function text(pieces: SampleText): string {
  let line = '';
  for (const piece of pieces.filter((one) => one !== '')) {
    const next = isVariable(piece) ? `getenv('${piece.variable}')` : quote(piece);
    if (line === '') line = next;
    else if (line.endsWith("'") && next.startsWith("'")) line = line.slice(0, -1) + next.slice(1);
    else line += ` . ${next}`;
  }
  return line;
}

function quote(plain: string): string {
  return `'${plain.replace(/['\\]/g, '\\$&')}'`;
}
