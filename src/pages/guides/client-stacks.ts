import { type SiteText, tableText, wordOf } from '../text.ts';

/**
 * A program's HTTP library, with the headers that it sends if nobody changes its settings. A test sends them to the service on
 * both runtimes, and a guide shows them. The requests of Java, Python, got and fetch were captured; the others follow the sources.
 */
export interface ClientStack {
  readonly name: string;
  /** Besides Host, Authorization and those below. */
  readonly headers: readonly string[];
  /** In addition, with a GET. */
  readonly read?: readonly string[];
  /** In addition, with a body. */
  readonly write?: readonly string[];
  /** The Content-Type of the form that asks for a token, and of a JSON body. */
  readonly form: string;
  readonly json: string;
  /** Sends a JSON body in chunks, without its length. */
  readonly isChunked?: boolean;
}

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

export const CLIENT_STACKS: readonly ClientStack[] = [
  {
    name: 'Apache HttpClient 4.5',
    headers: [
      'Connection: Keep-Alive',
      'User-Agent: Apache-HttpClient/4.5.14 (Java/17.0.9)',
      'Accept-Encoding: gzip,deflate',
    ],
    form: `${FORM}; charset=ISO-8859-1`,
    json: `${JSON_TYPE}; charset=UTF-8`,
  },
  {
    name: 'Apache HttpClient 5.4',
    headers: ['Accept-Encoding: gzip, x-gzip, deflate', 'User-Agent: Apache-HttpClient/5.4 (Java/21.0.2)'],
    // Over plain HTTP only.
    read: ['Upgrade: TLS/1.2', 'Connection: Upgrade'],
    write: ['Connection: keep-alive'],
    form: `${FORM}; charset=ISO-8859-1`,
    json: `${JSON_TYPE}; charset=UTF-8`,
  },
  {
    name: 'okhttp (OpenAPI Generator)',
    headers: [
      'Accept: application/json',
      'User-Agent: OpenAPI-Generator/1.0.0/java',
      'Connection: Keep-Alive',
      'Accept-Encoding: gzip',
    ],
    read: [`Content-Type: ${JSON_TYPE}`],
    form: FORM,
    json: `${JSON_TYPE}; charset=utf-8`,
  },
  {
    name: 'Java HttpClient 17',
    headers: [
      'Connection: Upgrade, HTTP2-Settings',
      'HTTP2-Settings: AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAAAAYABgAA',
      'Upgrade: h2c',
      'User-Agent: Java-http-client/17.0.15',
    ],
    read: ['Content-Length: 0'],
    form: FORM,
    json: JSON_TYPE,
  },
  {
    name: '.NET HttpClient',
    headers: [],
    form: FORM,
    json: `${JSON_TYPE}; charset=utf-8`,
    isChunked: true,
  },
  {
    name: '.NET Framework 4.8',
    headers: ['Connection: Keep-Alive'],
    write: ['Expect: 100-continue'],
    form: FORM,
    json: `${JSON_TYPE}; charset=utf-8`,
  },
  { name: 'Guzzle 7', headers: ['User-Agent: GuzzleHttp/7'], form: FORM, json: JSON_TYPE },
  {
    name: 'Python requests 2.34',
    headers: [
      'User-Agent: python-requests/2.34.2',
      'Accept-Encoding: gzip, deflate',
      'Accept: */*',
      'Connection: keep-alive',
    ],
    form: FORM,
    json: JSON_TYPE,
  },
  {
    name: 'Go net/http',
    headers: ['User-Agent: Go-http-client/1.1', 'Accept-Encoding: gzip'],
    form: FORM,
    json: JSON_TYPE,
  },
  {
    name: 'Ruby Net::HTTP',
    headers: [
      'Accept-Encoding: gzip;q=1.0,deflate;q=0.6,identity;q=0.3',
      'Accept: */*',
      'User-Agent: Ruby',
      'Connection: close',
    ],
    form: FORM,
    json: JSON_TYPE,
  },
  {
    name: 'Perl LWP',
    headers: ['TE: deflate,gzip;q=0.3', 'Connection: TE, close', 'User-Agent: libwww-perl/6.77'],
    form: FORM,
    json: JSON_TYPE,
  },
  {
    name: 'got 14 (Node)',
    headers: [
      'user-agent: got (https://github.com/sindresorhus/got)',
      'accept: application/json',
      'accept-encoding: gzip, deflate, br',
      'Connection: keep-alive',
    ],
    form: FORM,
    json: JSON_TYPE,
  },
  {
    name: 'fetch (Node)',
    headers: [
      'connection: keep-alive',
      'accept: */*',
      'accept-language: *',
      'sec-fetch-mode: cors',
      'user-agent: node',
      'accept-encoding: gzip, deflate',
    ],
    form: `${FORM};charset=UTF-8`,
    json: JSON_TYPE,
  },
];

/** One row for each library: what it sends with every request, and how it labels its bodies. */
export function stacksTable(text: SiteText): string {
  const code = (lines: readonly string[]) => lines.map((line) => `\`${line}\``).join(', ');
  const rows = CLIENT_STACKS.map(({ name, headers, read = [], write = [], form, json, isChunked }) => {
    const chunks = isChunked === true ? ['Transfer-Encoding: chunked'] : [];
    const sent = [
      code(headers),
      read.length === 0 ? '' : `${wordOf(text, 'withGet')} ${code(read)}`,
      write.length === 0 ? '' : `${wordOf(text, 'withBody')} ${code(write)}`,
    ];
    return [name, sent.filter((part) => part !== '').join('; ') || '–', code([form]), code([json, ...chunks])];
  });
  return tableText(
    ['library', 'headers', 'form', 'json'].map((word) => wordOf(text, word)),
    rows,
  );
}
