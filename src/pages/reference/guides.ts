import { isProblemCode, problemSlug } from '../../core/catalogue.ts';
import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { prose } from '../page.ts';
import { code, codeBlock, table } from './blocks.ts';
import { GUIDES } from './guide-texts.ts';
import { listOperations } from './operations.ts';
import { operationSamples, type ReferenceContext } from './samples.ts';
import { clientSetUp } from './typescript.ts';

/** The command that starts a local service. */
const START_COMMAND = 'npm ci && npm run dev';

/** Shell commands that read the credential of a sample company. */
export const CREDENTIAL_COMMANDS = `credential() { node -p "require('./.data/local.json').companies[0].$1"; }
export MIRSAL_CLIENT_ID=$(credential clientId)
export MIRSAL_CLIENT_SECRET=$(credential clientSecret)`;

/** The operations of the first guide, in order. */
export const FIRST_STEPS = [
  'oauth.token',
  'sandbox.bootstrap',
  'sandbox.readiness',
  'priceEstimates.create',
  'shipments.create',
  'sandbox.startScenario',
  'shipments.timeline',
] as const;

/** From a credential to a delivered shipment, with samples that run unchanged in a new sandbox. */
export function firstShipmentGuide(context: ReferenceContext): Html {
  const { document, locale, baseUrl } = context;
  const text = GUIDES[locale];
  const operations = listOperations(document);
  const steps = FIRST_STEPS.map((step) => {
    const operation = operations.find(({ id }) => id === step);
    if (operation === undefined) return undefined;
    return html`<li><p>${prose(text.steps[step], locale)}</p>${operationSamples(context, operation)}</li>
`;
  });
  return html`<section class="chapter" aria-labelledby="first-shipment">
<h2 id="first-shipment">${text.first}</h2>
<p>${prose(text.firstIntro, locale)}</p>
<h3>${text.own}</h3>
<p>${prose(text.ownIntro, locale)}</p>
${codeBlock(`${START_COMMAND}\n\n${CREDENTIAL_COMMANDS}`, text.own)}
<h3>${text.sandbox}</h3>
<p>${prose(text.sandboxIntro, locale)}</p>
<p><a href="/console?lang=${locale}">${text.console}</a> · <a href="/docs/registration?lang=${locale}">${text.registration}</a></p>
<p><a href="/docs/clients?lang=${locale}">${prose(text.programs, locale)}</a></p>
<h3 id="client">TypeScript</h3>
<p>${prose(text.setUp, locale)}</p>
${codeBlock(clientSetUp(baseUrl), 'TypeScript')}
<ol class="steps">
${steps}</ol>
<p><a href="#webhooks">${text.next}</a></p>
</section>`;
}

/** The guide to errors and retries. */
export function errorsGuide(locale: Locale): Html {
  const text = GUIDES[locale];
  const rules = text.rules.map(([status, action]) => [html`<bdi dir="ltr">${status}</bdi>`, prose(action, locale)]);
  return html`<section class="chapter" aria-labelledby="errors">
<h2 id="errors">${text.errors}</h2>
<p>${prose(text.errorsIntro, locale)}</p>
${table(text.errors, [text.status, text.action], rules)}
<p>${prose(text.retriesIntro, locale)}</p>
<p><a href="/problems?lang=${locale}">${text.allCodes}</a> · <a href="/docs/retries?lang=${locale}">${text.allPosts}</a></p>
</section>`;
}

/** A problem code with a link to its page, if it has one. */
export function problemLink(name: string, locale: Locale): Html {
  if (!isProblemCode(name)) return code(name);
  return html`<a href="/problems/${problemSlug(name)}?lang=${locale}">${code(name)}</a>`;
}
