import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { code, codeBlock, english, table } from './blocks.ts';
import type { OpenApiDocument, Parameter, Schema } from './document.ts';
import { listFields, ruleTexts, typeText } from './fields.ts';
import { problemLink } from './guides.ts';
import { type Operation, type OperationResponse, slugOf } from './operations.ts';
import { plainSchema, refName } from './resolve.ts';
import { curlSample } from './sample.ts';
import { FRAME } from './texts.ts';

/** What every part of the reference is drawn from. `baseUrl` has no slash at its end. */
export interface ReferenceContext {
  readonly document: OpenApiDocument;
  readonly locale: Locale;
  readonly baseUrl: string;
}

/** One operation: what it is for, who may call it, what goes in, what comes out, and a command to try it. */
export function operationSection(context: ReferenceContext, operation: Operation): Html {
  const text = FRAME[context.locale];
  const { anchor, method, path } = operation;
  const label = `${method} ${path}`;
  return html`<section class="operation" aria-labelledby="${anchor}">
<h3 id="${anchor}"><span lang="en" dir="auto">${operation.purpose}</span></h3>
<p class="address"><bdi dir="ltr"><span class="method">${method}</span> <code>${path}</code></bdi></p>
${operation.description === undefined ? undefined : html`<p>${english(operation.description)}</p>`}
<p><span class="quiet">${text.access}:</span> ${accessText(context, operation)}</p>
${parametersTable(context, operation)}
${bodyTable(context, operation)}
${responsesTable(context, operation)}
<h4>${text.sample}</h4>
${codeBlock(curlSample(context.document, operation, context.baseUrl), `${text.sample}: ${label}`)}
</section>
`;
}

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

/** The anchor of an object that answers refer to by name. */
export function objectAnchor(name: string): string {
  return `object-${slugOf(name)}`;
}

function accessText({ locale }: ReferenceContext, operation: Operation): Html {
  const text = FRAME[locale];
  if (operation.access.length === 0) return html`${text.noAccess}`;
  const [first, ...others] = operation.access.map(code);
  return html`${first}${others.map((other) => html` ${text.accessOr} ${other}`)}`;
}

function parametersTable(context: ReferenceContext, operation: Operation): Html | undefined {
  if (operation.parameters.length === 0) return undefined;
  const text = FRAME[context.locale];
  const rows = operation.parameters.map((parameter) => [
    code(parameter.name ?? ''),
    english(parameter.in ?? ''),
    english(typeText(context.document, parameter.schema ?? {})),
    parameter.required === true ? text.yes : text.no,
    rulesCell(parameterRules(context, parameter), parameter.description),
  ]);
  const label = `${text.parameters}: ${operation.method} ${operation.path}`;
  return html`<h4>${text.parameters}</h4>
${table(label, [text.name, text.place, text.type, text.required, text.rules], rows)}`;
}

function parameterRules({ document }: ReferenceContext, parameter: Parameter): readonly string[] {
  return ruleTexts(plainSchema(document, parameter.schema ?? {}).schema);
}

function bodyTable(context: ReferenceContext, operation: Operation): Html | undefined {
  const { body } = operation;
  if (body === undefined) return undefined;
  const text = FRAME[context.locale];
  const schema = body.content.schema ?? {};
  const hasFields = listFields(context.document, schema).length > 0;
  const label = `${text.body}: ${operation.method} ${operation.path}`;
  return html`<h4>${text.body}</h4>
<p>${code(body.mediaType)}</p>
${hasFields ? fieldsTable(context, schema, label) : undefined}`;
}

function responsesTable(context: ReferenceContext, operation: Operation): Html {
  const text = FRAME[context.locale];
  const rows = operation.responses.map((response) => [
    html`<bdi dir="ltr">${response.status}</bdi>`,
    html`${english(response.description)}${headersText(context, response)}`,
    answerCell(context, response),
  ]);
  const label = `${text.responses}: ${operation.method} ${operation.path}`;
  return html`<h4>${text.responses}</h4>
${table(label, [text.status, text.meaning, text.answer], rows)}
${operation.responses.map((response) => unnamedBody(context, operation, response))}`;
}

function headersText({ locale }: ReferenceContext, response: OperationResponse): Html | undefined {
  if (response.headers.length === 0) return undefined;
  return html`<br><span class="quiet">${FRAME[locale].headers}: ${code(response.headers.join(', '))}</span>`;
}

function answerCell(context: ReferenceContext, response: OperationResponse): Html | string {
  if (response.codes.length > 0) {
    const links = response.codes.map((name) => html`<li>${problemLink(name, context.locale)}</li>`);
    return html`<ul class="codes">${links}</ul>`;
  }
  const schema = response.content?.schema;
  if (schema === undefined || isError(response)) return '';
  if (schema.$ref !== undefined) {
    const name = refName(schema.$ref);
    return html`<a href="#${objectAnchor(name)}">${code(name)}</a>`;
  }
  return english(typeText(context.document, schema));
}

/** The fields of an answer that has no name among the objects, folded: most readers want the request first. */
function unnamedBody(context: ReferenceContext, operation: Operation, response: OperationResponse): Html | undefined {
  const schema = response.content?.schema;
  if (schema === undefined || schema.$ref !== undefined || isError(response)) return undefined;
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
