import { isProblemCode, problemSlug } from '../../core/catalogue.ts';
import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { code, english, table } from './blocks.ts';
import { purposeOf } from './contents.ts';
import type { Parameter, Schema } from './document.ts';
import { listFields, ruleTexts, typeText } from './fields.ts';
import { type OperationResponse, type ReferenceOperation, slugOf } from './operations.ts';
import { plainSchema, refName } from './resolve.ts';
import { operationSamples, type ReferenceContext } from './samples.ts';
import { trialForm } from './trial-form.ts';
import { CALLERS, FRAME } from './words.ts';

/** One operation: its purpose, scope, samples, parameters, body and responses. */
export function operationSection(context: ReferenceContext, operation: ReferenceOperation): Html {
  const text = FRAME[context.locale];
  const { anchor, method, path } = operation;
  return html`<section class="operation" aria-labelledby="${anchor}">
<h2 id="${anchor}">${purposeOf(context, operation)}</h2>
<p class="address"><bdi dir="ltr"><span class="method">${method}</span> <code>${path}</code></bdi></p>
${operation.description === undefined ? undefined : html`<p>${english(operation.description)}</p>`}
<p><span class="quiet">${text.access}:</span> ${accessText(context, operation)}</p>
${operationSamples(context, operation)}
${trialForm(context, operation)}
${parametersTable(context, operation)}
${bodyTable(context, operation)}
${responsesTable(context, operation)}
${errorsList(context, operation)}
</section>
`;
}

/** Headers that every operation has. The first page describes them. */
const COMMON_HEADERS = ['Accept-Language', 'X-Request-Id', 'X-Correlation-Id', 'Content-Language'];

/** The fields of a schema as a table. */
export function fieldsTable(context: ReferenceContext, schema: Schema, label: string): Html {
  const text = FRAME[context.locale];
  const rows = listFields(context.document, schema).map((field) => [
    code(field.path),
    english(field.type),
    field.isRequired ? text.yes : text.no,
    rulesCell(field.rules, field.description),
  ]);
  return table(label, [text.field, text.type, text.required, text.rules], rows);
}

/** The name of an object that the page of objects describes. The page of a list is described with its operation. */
export function objectName({ $ref }: Schema): string | undefined {
  const name = $ref === undefined ? undefined : refName($ref);
  return name?.endsWith('Page') === true ? undefined : name;
}

/** The anchor of a named object. */
export function objectAnchor(name: string): string {
  return `object-${slugOf(name)}`;
}

function accessText({ locale }: ReferenceContext, operation: ReferenceOperation): Html {
  const text = FRAME[locale];
  if (operation.access.length === 0) return html`${text.noAccess}`;
  const [first, ...others] = operation.access.map((one) => {
    const caller = CALLERS[one]?.[locale];
    return caller === undefined ? code(one) : html`${caller}`;
  });
  return html`${first}${others.map((other) => html` ${text.accessOr} ${other}`)}`;
}

function parametersTable(context: ReferenceContext, operation: ReferenceOperation): Html | undefined {
  const own = operation.parameters.filter(({ name = '' }) => !COMMON_HEADERS.includes(name));
  if (own.length === 0) return undefined;
  const text = FRAME[context.locale];
  const rows = own.map((parameter) => [
    code(parameter.name ?? ''),
    english(parameter.in ?? ''),
    english(typeText(context.document, parameter.schema ?? {})),
    parameter.required === true ? text.yes : text.no,
    rulesCell(parameterRules(context, parameter), parameter.description),
  ]);
  const label = `${text.parameters}: ${operation.method} ${operation.path}`;
  return html`<h3>${text.parameters}</h3>
${table(label, [text.name, text.place, text.type, text.required, text.rules], rows)}`;
}

function parameterRules({ document }: ReferenceContext, parameter: Parameter): readonly string[] {
  return ruleTexts(plainSchema(document, parameter.schema ?? {}).schema);
}

function bodyTable(context: ReferenceContext, operation: ReferenceOperation): Html | undefined {
  const { body } = operation;
  if (body === undefined) return undefined;
  const text = FRAME[context.locale];
  const schema = body.content.schema ?? {};
  const hasFields = listFields(context.document, schema).length > 0;
  const label = `${text.body}: ${operation.method} ${operation.path}`;
  return html`<h3>${text.body}</h3>
<p>${code(body.mediaType)}</p>
${hasFields ? fieldsTable(context, schema, label) : undefined}`;
}

function responsesTable(context: ReferenceContext, operation: ReferenceOperation): Html {
  const text = FRAME[context.locale];
  const successes = operation.responses.filter((response) => !isError(response));
  const rows = successes.map((response) => [
    html`<bdi dir="ltr">${response.status}</bdi>`,
    html`${english(response.description)}${headersText(context, response)}`,
    answerCell(context, response),
  ]);
  const label = `${text.responses}: ${operation.method} ${operation.path}`;
  return html`<h3>${text.responses}</h3>
${table(label, [text.status, text.meaning, text.answer], rows)}
${successes.map((response) => unnamedBody(context, operation, response))}`;
}

function headersText({ locale }: ReferenceContext, response: OperationResponse): Html | undefined {
  const own = response.headers.filter((name) => !COMMON_HEADERS.includes(name));
  if (own.length === 0) return undefined;
  return html`<br><span class="quiet">${FRAME[locale].headers}: ${code(own.join(', '))}</span>`;
}

function answerCell(context: ReferenceContext, response: OperationResponse): Html | string {
  const schema = response.content?.schema;
  if (schema === undefined) return '';
  const name = objectName(schema);
  if (name !== undefined) {
    return html`<a href="/docs/objects?lang=${context.locale}#${objectAnchor(name)}">${code(name)}</a>`;
  }
  return english(typeText(context.document, schema));
}

/** The codes of each status, folded, because they are similar everywhere and each has its own page. */
function errorsList({ locale }: ReferenceContext, operation: ReferenceOperation): Html | undefined {
  const errors = operation.responses.filter(isError);
  if (errors.length === 0) return undefined;
  const entries = errors.map(
    ({ status, codes, description }) => html`<div><dt><bdi dir="ltr">${status}</bdi></dt><dd>${
      codes.length === 0
        ? english(description)
        : html`<ul class="codes">${codes.map((name) => html`<li>${problemLink(name, locale)}</li>`)}</ul>`
    }</dd></div>
`,
  );
  return html`<details class="errors"><summary>${FRAME[locale].errors} <bdi class="quiet" dir="ltr">${errors
    .map(({ status }) => status)
    .join(', ')}</bdi></summary>
<dl class="facts">${entries}</dl></details>`;
}

/** The fields of a response that the page of objects does not describe, folded, because most readers want the request first. */
function unnamedBody(
  context: ReferenceContext,
  operation: ReferenceOperation,
  response: OperationResponse,
): Html | undefined {
  const schema = response.content?.schema;
  if (schema === undefined || objectName(schema) !== undefined) return undefined;
  if (listFields(context.document, schema).length === 0) return undefined;
  const text = FRAME[context.locale];
  const label = `${text.fields}: ${operation.method} ${operation.path} ${response.status}`;
  const summary = html`${text.fields}: <bdi dir="ltr">${response.status}</bdi>`;
  return html`<details><summary>${summary}</summary>${fieldsTable(context, schema, label)}</details>`;
}

function isError(response: OperationResponse): boolean {
  return /^[45]|default/.test(response.status);
}

function rulesCell(rules: readonly string[], description: string | undefined): Html {
  const all = rules.map((rule, index) => html`${index === 0 ? '' : html`<br>`}${code(rule)}`);
  const gap = rules.length > 0 && description !== undefined ? html`<br>` : undefined;
  return html`${all}${gap}${description === undefined ? undefined : english(description)}`;
}

/** A problem code with a link to its page, if it has one. */
function problemLink(name: string, locale: Locale): Html {
  if (!isProblemCode(name)) return code(name);
  return html`<a href="/problems/${problemSlug(name)}?lang=${locale}">${code(name)}</a>`;
}
