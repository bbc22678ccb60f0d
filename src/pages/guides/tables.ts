import { EVENT_TYPES } from '../../contract/event-type.ts';
import { LEGAL_BASES } from '../../contract/registration-state.ts';
import { REQUIRED_DOCUMENTS } from '../../domain/registrations/requirement.ts';
import { listOperations, type ReferenceOperation } from '../reference/operations.ts';
import type { ReferenceContext } from '../reference/samples.ts';
import { type SiteText, tableText, wordOf } from '../text.ts';
import { stacksTable } from './client-stacks.ts';
import { fieldsTable } from './glossary.ts';
import { VAT_TABLES } from './vat.ts';

/** A table of a text, as Markdown. Its words are in the front matter of the text. */
export type TextTable = (text: SiteText, context: ReferenceContext) => string;

/** The tables that texts name, as in `{{table posts}}`. */
export const TABLES: Readonly<Record<string, TextTable>> = {
  ...VAT_TABLES,
  conditional: conditionalTable,
  documents: documentsTable,
  events: eventsTable,
  fields: fieldsTable,
  posts: postsTable,
  stacks: stacksTable,
};

function conditionalTable(text: SiteText, { document }: ReferenceContext): string {
  const rows = listOperations(document).flatMap(({ method, path, parameters }) => {
    const header = parameters.find(({ name }) => name === 'If-Match');
    if (header === undefined) return [];
    return [[`\`${method} ${path}\``, wordOf(text, header.required === true ? 'required' : 'optional')]];
  });
  return tableText([wordOf(text, 'operation'), 'If-Match'], rows);
}

function documentsTable(text: SiteText): string {
  const rows = LEGAL_BASES.flatMap((basis) =>
    REQUIRED_DOCUMENTS[basis].map((type) => [`\`${basis}\``, wordOf(text, basis), `\`${type}\``, wordOf(text, type)]),
  );
  return tableText(['legalBasis', wordOf(text, 'who'), 'documentType', wordOf(text, 'document')], rows);
}

function eventsTable(text: SiteText): string {
  const rows = EVENT_TYPES.map((type) => [`\`${type}\``, wordOf(text, type)]);
  return tableText([wordOf(text, 'type'), wordOf(text, 'meaning')], rows);
}

function postsTable(text: SiteText, { document }: ReferenceContext): string {
  const posts = listOperations(document).filter(({ method }) => method === 'POST');
  const rows = posts.map((operation) => [`\`${operation.path}\``, wordOf(text, adviceFor(operation, text))]);
  return tableText([wordOf(text, 'operation'), wordOf(text, 'advice')], rows);
}

/** The word with the advice: its own, from the document if the operation takes a key, or that of its kind. */
function adviceFor({ id = '', parameters }: ReferenceOperation, { words }: SiteText): string {
  if (words[id] !== undefined) return id;
  const key = parameters.find(({ name }) => name === 'Idempotency-Key');
  if (key !== undefined) return key.required === true ? 'requiredKey' : 'optionalKey';
  return ADVICE[id] ?? 'readFirst';
}

const ADVICE: Readonly<Record<string, string>> = {
  'oauth.revoke': 'repeat',
  'priceEstimates.create': 'repeat',
  'priceLocks.create': 'repeat',
  'nationalAddresses.lookUp': 'repeat',
  'nationalAddresses.suggest': 'repeat',
  'shipmentValidations.create': 'repeat',
  'shipmentAmendments.decide': 'repeat',
  'recipients.askReturn': 'repeat',
  'recipients.rejectReturn': 'repeat',
  'cases.decide': 'repeat',
  'cases.withdrawAsRecipient': 'repeat',
  'cases.createAsRecipient': 'repeat',
  'sandbox.bootstrap': 'repeat',
  'registrations.requestVerification': 'newCode',
  'sessions.startSignIn': 'newCode',
  'sessions.startElevation': 'newCode',
  'driver.startSession': 'newCode',
  'recipients.startSignIn': 'newCode',
  'sandbox.startDriverSession': 'newCode',
  'sessions.verifySignIn': 'usedCode',
  'sessions.verifyElevation': 'usedCode',
  'driver.verifySession': 'usedCode',
  'recipients.verifySignIn': 'usedCode',
  'sandbox.verifyDriverSession': 'usedCode',
};
