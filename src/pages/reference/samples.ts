import { type Html, html } from '../../http/web/html.ts';
import type { TextSource } from '../text.ts';
import { codeBlock } from './blocks.ts';
import { csharpSample } from './csharp.ts';
import { curlSample } from './curl.ts';
import type { OpenApiDocument } from './document.ts';
import type { ReferenceOperation } from './operations.ts';
import { phpSample } from './php.ts';
import { pythonSample } from './python.ts';
import { sampleRequest } from './sample-request.ts';
import { typeScriptSample } from './typescript.ts';
import { FRAME } from './words.ts';

/** `baseUrl` has no trailing slash. */
export interface ReferenceContext extends TextSource {
  readonly document: OpenApiDocument;
  readonly baseUrl: string;
}

/** The samples of an operation. Only one is open at a time. */
export function operationSamples(context: ReferenceContext, operation: ReferenceOperation): Html {
  const label = `${FRAME[context.locale].sample}: ${operation.method} ${operation.path}`;
  return sampleChoice(operation.anchor, label, samplesOf(context, operation));
}

export function samplesOf({ document, baseUrl }: ReferenceContext, operation: ReferenceOperation): readonly Sample[] {
  const request = sampleRequest(document, operation, baseUrl);
  return [
    { language: 'curl', code: curlSample(request) },
    { language: 'TypeScript', code: typeScriptSample(request) },
    { language: 'Python', code: pythonSample(request) },
    { language: 'PHP', code: phpSample(request) },
    { language: 'C#', code: csharpSample(request) },
  ];
}

interface Sample {
  readonly language: string;
  readonly code: string;
}

/** One sample in several languages. The browser keeps only one of the `details` with the same name open. */
export function sampleChoice(name: string, label: string, samples: readonly Sample[]): Html {
  const parts = samples.map(({ language, code }, index) => {
    const summary = html`<summary><bdi dir="ltr">${language}</bdi></summary>${codeBlock(code, `${label}, ${language}`)}`;
    return index === 0
      ? html`<details name="${name}-samples" open>${summary}</details>`
      : html`<details name="${name}-samples">${summary}</details>`;
  });
  return html`<div class="samples">${parts}</div>`;
}
