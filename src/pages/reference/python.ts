import { layOut } from './layout.ts';
import {
  isVariable,
  plainText,
  type SampleBody,
  type SampleRequest,
  type SampleText,
  sentHeaders,
} from './sample-request.ts';

/** A request in Python, with its standard library only. */
export function pythonSample(request: SampleRequest): string {
  const { operation, caller, address, body } = request;
  const headers = sentHeaders(request).map(([name, value]) => `        ${JSON.stringify(name)}: ${text(value)},\n`);
  if (caller === 'basic')
    headers.unshift('        "Authorization": "Basic " + base64.b64encode(pair.encode()).decode(),\n');
  const isBinary = operation.responses.some(({ content }) => content?.schema?.format === 'binary');
  const lines = [
    `    ${text(address)},\n`,
    `    method="${operation.method}",\n`,
    headers.length === 0 ? '' : `    headers={\n${headers.join('')}    },\n`,
    body === undefined ? '' : `    data=${bodyText(body)},\n`,
  ].join('');
  const pair =
    caller === 'basic'
      ? `pair = ${text([{ variable: 'MIRSAL_CLIENT_ID' }, ':', { variable: 'MIRSAL_CLIENT_SECRET' }])}\n`
      : '';
  const rest = `${pair}request = urllib.request.Request(
${lines})
with urllib.request.urlopen(request) as response:
    print(response.status, ${isBinary ? 'len(response.read()), "bytes"' : 'response.read().decode()'})`;
  return `import ${['base64', 'json', 'os', 'urllib.parse', 'urllib.request'].filter((name) => rest.includes(`${name}.`)).join(', ')}

${rest}`;
}

function bodyText(body: SampleBody): string {
  if (body.kind === 'file') return `open(${JSON.stringify(body.name)}, "rb").read()`;
  if (body.kind === 'json') return `json.dumps(${literal(body.value)}).encode()`;
  return `urllib.parse.urlencode(${literal(Object.fromEntries(body.members))}).encode()`;
}

const WORDS: Readonly<Record<string, string>> = { null: 'None', true: 'True', false: 'False' };

function literal(value: unknown): string {
  const leaf = (one: unknown) => {
    if (isVariable(one)) return `os.environ["${one.variable}"]`;
    if (typeof one === 'string') return JSON.stringify(one);
    return typeof one !== 'object' || one === null ? (WORDS[String(one)] ?? String(one)) : undefined;
  };
  return layOut(value, { key: JSON.stringify, leaf, hasLastComma: true }, '    ');
}

function text(pieces: SampleText): string {
  const plain = plainText(pieces);
  if (plain !== undefined) return JSON.stringify(plain);
  const inside = pieces.map((piece) =>
    isVariable(piece)
      ? `{os.environ['${piece.variable}']}`
      : JSON.stringify(piece).slice(1, -1).replace(/[{}]/g, '$&$&'),
  );
  return `f"${inside.join('')}"`;
}
