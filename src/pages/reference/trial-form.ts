import { type Html, html } from '../../http/web/html.ts';
import { codeBlock } from './blocks.ts';
import { bodyJson } from './curl.ts';
import type { ReferenceOperation } from './operations.ts';
import { isVariable, type SampleRequest, type SampleText, sampleRequest, sentHeaders } from './sample-request.ts';
import type { ReferenceContext } from './samples.ts';
import { FRAME } from './words.ts';

/**
 * A form that sends the request of an operation with the console's session. Its script is `trial.ts`. Undefined if a session
 * cannot make the request: it needs another credential, or a file.
 */
export function trialForm({ document, locale }: ReferenceContext, operation: ReferenceOperation): Html | undefined {
  const request = sampleRequest(document, operation, '');
  const { caller, body } = request;
  if (caller !== 'client' && caller !== 'person' && caller !== 'none') return undefined;
  if (body !== undefined && body.kind !== 'json') return undefined;
  const text = FRAME[locale];
  const { method, path } = operation;
  const headers = headerLines(request);
  const name = `${text.trialAnswer}: ${method} ${path}`;
  return html`<details class="trial"><summary>${text.trial}</summary>
<form data-method="${method}">
<p class="quiet">${text.trialIntro}</p>
<label><bdi dir="ltr">${method}</bdi><input name="address" dir="ltr" spellcheck="false" autocomplete="off" value="${textOf(request.address)}"></label>
<label>${text.headers}${field('headers', headers.join('\n'), headers.length + 1)}</label>
${body === undefined ? undefined : html`<label>${text.body}${bodyField(body.value)}</label>`}
<p><button>${text.send}</button> <button type="reset">${text.restore}</button></p>
<p role="status"></p>
<div hidden>${codeBlock('', `${name}, ${text.headers}`)}${codeBlock('', `${name}, ${text.answer}`)}</div>
</form></details>`;
}

/** The session takes the place of a token, and each request gets a key of its own. */
function headerLines(request: SampleRequest): readonly string[] {
  return sentHeaders(request).flatMap(([name, value]) => {
    if (name === 'Authorization') return [];
    return [`${name}: ${name === 'Idempotency-Key' ? '$IDEMPOTENCY_KEY' : textOf(value)}`];
  });
}

function bodyField(value: unknown): Html {
  const json = bodyJson(withOwnReference(value));
  return field('body', json, json.split('\n').length + 1);
}

/** A reference can be used once, so each request gets one of its own. */
function withOwnReference(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('externalReference' in value)) return value;
  return { ...value, externalReference: { variable: 'EXTERNAL_REFERENCE' } };
}

/** HTML ignores the line break after the tag. */
function field(name: string, value: string, rows: number): Html {
  return html`<textarea name="${name}" dir="ltr" spellcheck="false" autocomplete="off" rows="${rows}">
${value}</textarea>`;
}

function textOf(text: SampleText): string {
  return text.map((piece) => (isVariable(piece) ? `$${piece.variable}` : piece)).join('');
}
