import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { codeBlock } from './blocks.ts';
import { curlSample } from './curl.ts';
import type { OpenApiDocument } from './document.ts';
import type { Operation } from './operations.ts';
import { sampleRequest } from './sample-request.ts';
import { FRAME } from './texts.ts';
import { typeScriptSample } from './typescript.ts';

/** What every part of the reference is drawn from. `baseUrl` has no slash at its end. */
export interface ReferenceContext {
  readonly document: OpenApiDocument;
  readonly locale: Locale;
  readonly baseUrl: string;
}

/** The samples of an operation, one of them open at a time. */
export function operationSamples({ document, locale, baseUrl }: ReferenceContext, operation: Operation): Html {
  const request = sampleRequest(document, operation, baseUrl);
  return sampleChoice(operation.anchor, `${FRAME[locale].sample}: ${operation.method} ${operation.path}`, [
    { language: 'curl', code: curlSample(request) },
    { language: 'TypeScript', code: typeScriptSample(request) },
  ]);
}

interface Sample {
  readonly language: string;
  readonly code: string;
}

/** The same in several languages. `name` is the group's own: of its parts the browser keeps only one open. */
export function sampleChoice(name: string, label: string, samples: readonly Sample[]): Html {
  const parts = samples.map(({ language, code }, index) => {
    const summary = html`<summary><bdi dir="ltr">${language}</bdi></summary>${codeBlock(code, `${label}, ${language}`)}`;
    return index === 0
      ? html`<details name="${name}-samples" open>${summary}</details>`
      : html`<details name="${name}-samples">${summary}</details>`;
  });
  return html`<div class="samples">${parts}</div>`;
}
