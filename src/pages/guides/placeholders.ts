import { DOCUMENT_CONTENT_TYPES } from '../../contract/registration-state.ts';
import { CONTACT_CHOICE, CONTACT_MARK } from '../../http/web/asset-paths.ts';
import { limitText, webhookDelaysInWords } from '../limits.ts';
import { listOperations } from '../reference/operations.ts';
import { type ReferenceContext, samplesOf } from '../reference/samples.ts';
import { clientSetUp } from '../reference/typescript.ts';
import { VERIFICATION_PROGRAMS, verificationPath } from '../reference/verification.ts';
import { fence, PLACEHOLDER, type SiteText } from '../text.ts';
import { CREDENTIAL_COMMANDS, START_COMMAND, starterBlocks } from './clients.ts';
import { TABLES } from './tables.ts';

/** A placeholder on a line of its own, such as a table. */
const BLOCK = /^( *)\{\{[^{}]*\}\}$/;

/** The text with its values. An unknown name is an error with file and line. */
export function filledText(text: SiteText, context: ReferenceContext): SiteText {
  const fill = (line: string, number: number, words: SiteText['words']): string => {
    const indent = BLOCK.exec(line)?.[1] ?? '';
    return line.replaceAll(PLACEHOLDER, (_mark, name: string) => {
      const value = valueOf(name, { ...text, words }, context);
      if (value === undefined) throw new Error(`${text.path}:${number}: There is no {{${name}}}`);
      return indent === '' ? value : value.replaceAll(/\n(?=.)/g, `\n${indent}`);
    });
  };
  const entries = Object.entries(text.words).map(([name, word], index) => [name, fill(word, index + 2, {})] as const);
  const words = Object.fromEntries(entries);
  const lines = text.body.split('\n').map((line, index) => fill(line, text.bodyLine + index + 1, words));
  return { ...text, words, body: lines.join('\n') };
}

/** The value of a placeholder as Markdown, or undefined if there is none. */
export function valueOf(name: string, text: SiteText, context: ReferenceContext): string | undefined {
  const { locale, baseUrl } = context;
  const [kind = '', argument = ''] = name.split(' ');
  if (kind === 'samples') return samples(argument, context);
  if (kind === 'table') return Object.hasOwn(TABLES, argument) ? TABLES[argument]?.(text, context) : undefined;
  const limit = limitText(name, locale);
  if (limit !== undefined || argument !== '') return limit;
  const values: Readonly<Record<string, () => string>> = {
    baseUrl: () => baseUrl,
    carrierContact: () => CONTACT_MARK,
    ifContact: () => CONTACT_CHOICE.known,
    ifNoContact: () => CONTACT_CHOICE.unknown,
    endContact: () => CONTACT_CHOICE.end,
    webhookDelays: () => webhookDelaysInWords(locale),
    documentTypes: () =>
      new Intl.ListFormat(locale, { type: 'disjunction' }).format(DOCUMENT_CONTENT_TYPES.map((type) => `\`${type}\``)),
    startCommands: () => fence('shell', `${START_COMMAND}\n\n${CREDENTIAL_COMMANDS}`),
    credentialCommands: () => fence('shell', CREDENTIAL_COMMANDS),
    clientSetUp: () => fence('TypeScript', clientSetUp(baseUrl)),
    starters: () => starterBlocks(text, context),
    verification: () =>
      VERIFICATION_PROGRAMS.map((program) =>
        fence(`${program.language} Standard Webhooks`, context.readText(verificationPath(program)).trimEnd()),
      ).join('\n\n'),
  };
  return Object.hasOwn(values, name) ? values[name]?.() : undefined;
}

/** The samples of an operation, or nothing if the document does not have it. */
function samples(id: string, context: ReferenceContext): string {
  const operation = listOperations(context.document).find((each) => each.id === id);
  if (operation === undefined) return '';
  const label = `${operation.method} ${operation.path}`;
  return samplesOf(context, operation)
    .map(({ language, code }) => fence(`${language} ${label}`, code))
    .join('\n\n');
}
