import { isProblemCode, PROBLEM_CODES, PROBLEMS, problemSlug } from '../../core/catalogue.ts';
import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { prose } from '../page.ts';
import { retryOf } from '../problems/example.ts';
import { code, codeBlock, table } from './blocks.ts';
import { GUIDES } from './guide-texts.ts';

/** From a credential to a shipment, with commands that run as they stand in a new sandbox. */
export function firstShipmentGuide(baseUrl: string, locale: Locale): Html {
  const text = GUIDES[locale];
  const commands = firstShipmentCommands(baseUrl);
  const steps = (['token', 'bootstrap', 'estimate', 'create', 'follow'] as const).map(
    (step) => html`<li><p>${prose(text[step], locale)}</p>${codeBlock(commands[step], text[step])}</li>
`,
  );
  return html`<section class="chapter" aria-labelledby="first-shipment">
<h2 id="first-shipment">${text.first}</h2>
<p>${prose(text.firstIntro, locale)}</p>
<ol class="steps">
${steps}</ol>
<p>${prose(text.next, locale)}</p>
</section>`;
}

/** What to do after each status, and the list of every code. */
export function errorsGuide(locale: Locale): Html {
  const text = GUIDES[locale];
  const rules = text.rules.map(([status, action]) => [html`<bdi dir="ltr">${status}</bdi>`, prose(action, locale)]);
  return html`<section class="chapter" aria-labelledby="errors">
<h2 id="errors">${text.errors}</h2>
<p>${prose(text.errorsIntro, locale)}</p>
${table(text.errors, [text.status, text.action], rules)}
<h3>${text.codes}</h3>
${table(text.codes, [text.code, text.status, text.title, text.retry], codeRows(locale))}
</section>`;
}

function codeRows(locale: Locale): readonly (readonly Html[])[] {
  return PROBLEM_CODES.map((name) => {
    const { status, title } = PROBLEMS[name];
    return [
      problemLink(name, locale),
      html`<bdi dir="ltr">${status}</bdi>`,
      prose(title[locale], locale),
      prose(GUIDES[locale][retryOf(name)], locale),
    ];
  });
}

/** A code that leads to its page, where it has one. */
export function problemLink(name: string, locale: Locale): Html {
  if (!isProblemCode(name)) return code(name);
  return html`<a href="/problems/${problemSlug(name)}?lang=${locale}">${code(name)}</a>`;
}

function firstShipmentCommands(baseUrl: string) {
  const bearer = '-H "Authorization: Bearer $MIRSAL_TOKEN"';
  const json = "-H 'Content-Type: application/json'";
  return {
    token: `curl -u "$MIRSAL_CLIENT_ID:$MIRSAL_CLIENT_SECRET" \\
  -d grant_type=client_credentials \\
  '${baseUrl}/oauth/token'`,
    bootstrap: `curl -X POST ${bearer} \\
  '${baseUrl}/v2/external/sandbox/bootstrap'

curl ${bearer} \\
  '${baseUrl}/v2/external/sandbox/readiness'`,
    estimate: `curl ${bearer} ${json} \\
  '${baseUrl}/v2/external/shipment-price-estimates' -d '${ESTIMATE}'`,
    create: `curl ${bearer} ${json} \\
  -H 'Idempotency-Key: order-1001-creation' \\
  '${baseUrl}/v2/external/shipments' -d '${SHIPMENT}'`,
    follow: `curl ${bearer} \\
  "${baseUrl}/v2/external/shipments/$SHIPMENT_ID"

curl ${bearer} \\
  "${baseUrl}/v2/external/shipments/$SHIPMENT_ID/timeline"`,
  };
}

const ESTIMATE = `{
  "pickup": { "latitude": 24.7136, "longitude": 46.6753 },
  "delivery": { "latitude": 24.7743, "longitude": 46.7386 },
  "destinationCityCode": "RUH"
}`;

const SHIPMENT = `{
  "externalReference": "ORDER-1001",
  "branchCode": "SANDBOX_BRANCH",
  "pickupLocationCode": "SANDBOX_PICKUP",
  "recipient": { "name": "Sara", "phone": "+966500000001" },
  "destination": {
    "addressLine": "King Fahd Road, Riyadh",
    "cityCode": "RUH",
    "latitude": 24.7743,
    "longitude": 46.7386
  },
  "declaredValue": 150.00,
  "codAmount": 0,
  "currency": "SAR",
  "paymentMethod": "PREPAID",
  "pickupWindowStart": "2030-01-31T09:00:00Z",
  "pickupWindowEnd": "2030-01-31T12:00:00Z",
  "items": [{ "description": "Book", "quantity": 1, "weightKilograms": 0.4 }],
  "requirements": []
}`;
