import { EVENT_TYPES } from '../../contract/event-type.ts';
import { type Html, html } from '../../http/web/html.ts';
import { prose } from '../page.ts';
import { code, table } from './blocks.ts';
import { listOperations } from './operations.ts';
import { operationSamples, type ReferenceContext, sampleChoice } from './samples.ts';
import { VERIFICATION_SAMPLES } from './webhook-samples.ts';
import { EVENT_TEXTS, WEBHOOK_GUIDE } from './webhook-texts.ts';

/** The guide to receiving and verifying webhooks. */
export function webhookGuide(context: ReferenceContext): Html {
  const { locale, document } = context;
  const text = WEBHOOK_GUIDE[locale];
  const list = (sentences: readonly string[]) => sentences.map((sentence) => html`<li>${prose(sentence, locale)}</li>`);
  const subscription = listOperations(document).find(({ id }) => id === 'webhookEndpoints.create');
  return html`<section class="chapter" aria-labelledby="webhooks">
<h2 id="webhooks">${text.title}</h2>
<p>${prose(text.intro, locale)}</p>
<p>${prose(text.subscribe, locale)}</p>
${subscription === undefined ? undefined : operationSamples(context, subscription)}
<h3 id="webhook-verification">${text.verifyTitle}</h3>
<ol class="rules">${list(text.verify)}</ol>
${sampleChoice('verification', text.verifyTitle, VERIFICATION_SAMPLES)}
<p>${prose(text.client, locale)}</p>
<h3 id="webhook-answers">${text.answerTitle}</h3>
<ul class="rules">${list(text.answer)}</ul>
<h3 id="events">${text.kinds}</h3>
${table(
  text.kinds,
  [text.kind, text.meaning],
  EVENT_TYPES.map((type) => [code(type), prose(EVENT_TEXTS[type][locale], locale)]),
)}
</section>`;
}
