import { layOut } from './layout.ts';
import {
  hasVariable,
  isVariable,
  plainText,
  type SampleBody,
  type SampleRequest,
  type SampleText,
  sentHeaders,
} from './sample-request.ts';

/** A request in C# 14 (.NET 10), with the libraries of .NET only. */
export function csharpSample(request: SampleRequest): string {
  const { operation, caller, address, body } = request;
  const headers = sentHeaders(request)
    .filter(([name]) => name !== 'Content-Type')
    .map(([name, value]) => headerLine(name, text(value)));
  if (caller === 'basic') headers.unshift(headerLine('Authorization', BASIC));
  const method = operation.method[0] + operation.method.slice(1).toLowerCase();
  const rest = `using var http = new HttpClient();
using var request = new HttpRequestMessage(HttpMethod.${method}, ${text(address)});
${headers.join('')}${body === undefined ? '' : `request.Content = ${contentOf(body, operation.body?.mediaType ?? '')};\n`}using var response = await http.SendAsync(request);
Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");`;
  const spaces = [
    rest.includes('MediaTypeHeaderValue') ? 'using System.Net.Http.Headers;\n' : '',
    rest.includes('Encoding.') ? 'using System.Text;\n' : '',
  ].join('');
  const env = rest.includes('Env("')
    ? 'string Env(string name) => Environment.GetEnvironmentVariable(name) ?? "";\n\n'
    : '';
  return `${spaces}${spaces === '' ? '' : '\n'}${env}${rest}`;
}

const PAIR = '$"{Env("MIRSAL_CLIENT_ID")}:{Env("MIRSAL_CLIENT_SECRET")}"';
const BASIC = `"Basic " + Convert.ToBase64String(Encoding.UTF8.GetBytes(${PAIR}))`;

function headerLine(name: string, value: string): string {
  return `request.Headers.TryAddWithoutValidation("${name}", ${value});\n`;
}

function contentOf(body: SampleBody, mediaType: string): string {
  if (body.kind === 'file') {
    const type = `Headers = { ContentType = new MediaTypeHeaderValue("${mediaType}") }`;
    return `new ByteArrayContent(File.ReadAllBytes(${JSON.stringify(body.name)})) { ${type} }`;
  }
  if (body.kind === 'form') {
    const members = body.members.map(
      ([name, value]) => `    [${JSON.stringify(name)}] = ${text([isVariable(value) ? value : String(value)])},\n`,
    );
    return `new FormUrlEncodedContent(new Dictionary<string, string>\n{\n${members.join('')}})`;
  }
  return `new StringContent(\n    ${json(body.value)},\n    Encoding.UTF8,\n    "${mediaType}")`;
}

/** A raw string. With two dollar signs, only double braces hold expressions. */
function json(value: unknown): string {
  const leaf = (one: unknown) => {
    if (isVariable(one)) return `"{{Env("${one.variable}")}}"`;
    return typeof one !== 'object' || one === null ? JSON.stringify(one) : undefined;
  };
  const written = layOut(value, { key: JSON.stringify, leaf, hasLastComma: false }, '    ');
  return `${hasVariable(value) ? '$$' : ''}"""\n    ${written}\n    """`;
}

function text(pieces: SampleText): string {
  const plain = plainText(pieces);
  if (plain !== undefined) return JSON.stringify(plain);
  const inside = pieces.map((piece) =>
    isVariable(piece) ? `{Env("${piece.variable}")}` : JSON.stringify(piece).slice(1, -1).replace(/[{}]/g, '$&$&'),
  );
  return `$"${inside.join('')}"`;
}
