import openApiDocument from '../../../docs/openapi.json' with { type: 'json' };
import { problemCodeOf } from '../../core/catalogue.ts';
import { Problem } from '../../core/problem.ts';
import { refuse } from '../../core/result.ts';
import { EDGES } from '../../domain/shipments/lifecycle.ts';
import { prefersJson } from '../accept.ts';
import type { Exchange, Route } from '../route-table.ts';
import { problemDocument, problemPage } from './problems/page.ts';
import type { LifecycleEdge } from './reference/lifecycle.ts';
import { llmsText } from './reference/llms.ts';
import { referencePage } from './reference/page.ts';
import { pageLocale, represent } from './representation.ts';
import { STYLESHEET, STYLESHEET_PATH } from './styles.ts';

/** What people and their programs read about the service. None of it needs a token. */
export const webRoutes: readonly Route[] = [
  { method: 'GET', path: '/openapi.json', handle: showDocument },
  { method: 'GET', path: '/docs', handle: showReference },
  { method: 'GET', path: '/llms.txt', handle: showLlmsText },
  { method: 'GET', path: '/problems/{name}', handle: showProblem },
  { method: 'GET', path: STYLESHEET_PATH, handle: showStylesheet },
];

/** Changes of state as a merchant sees them: by the events that tell of them. */
const LIFECYCLE: readonly LifecycleEdge[] = [...Map.groupBy(EDGES, ({ from, to }) => `${from} ${to}`).values()].flatMap(
  ([first, ...others]) => {
    if (first === undefined) return [];
    const label = [first, ...others].map((edge) => edge.event).join(', ');
    return [{ from: first.from, to: first.to, label }];
  },
);

function showDocument(request: Request, { services }: Exchange): Promise<Response> {
  const servers = [{ url: services.config.baseUrl }];
  const text = JSON.stringify({ ...openApiDocument, servers });
  return represent(request, { mediaType: 'application/json', locale: 'en', text });
}

function showReference(request: Request, exchange: Exchange): Promise<Response> {
  const locale = pageLocale(exchange);
  const { baseUrl } = exchange.services.config;
  const key = `${locale} ${baseUrl}`;
  const text = references.get(key) ?? referencePage({ document: openApiDocument, locale, baseUrl, edges: LIFECYCLE });
  references.set(key, text);
  return represent(request, { mediaType: 'text/html', locale, text });
}

/** Drawing the reference takes many milliseconds and needs no token. A process has one address, so these are two. */
const references = new Map<string, string>();

function showLlmsText(request: Request, { services }: Exchange): Promise<Response> {
  const text = llmsText({ document: openApiDocument, baseUrl: services.config.baseUrl });
  return represent(request, { mediaType: 'text/plain', locale: 'en', text });
}

function showProblem(request: Request, exchange: Exchange): Promise<Response> {
  const code = problemCodeOf(exchange.parameters['name'] ?? '');
  if (code === undefined) throw new Problem(refuse('ROUTE_NOT_FOUND'));
  const locale = pageLocale(exchange);
  const input = { code, baseUrl: exchange.services.config.baseUrl, locale };
  const vary = 'Accept';
  if (prefersJson(request.headers.get('accept'))) {
    return represent(request, {
      mediaType: 'application/json',
      locale,
      vary,
      text: JSON.stringify(problemDocument(input)),
    });
  }
  return represent(request, { mediaType: 'text/html', locale, vary, text: problemPage(input) });
}

function showStylesheet(request: Request): Promise<Response> {
  return represent(request, { mediaType: 'text/css', locale: 'en', text: STYLESHEET });
}
