import * as z from 'zod';
import { checkAddressLater } from '../../../../routers/address-checks.ts';
import { signedInRecipient } from '../../../../routers/recipients.ts';
import { recipientCookie } from '../../../access/recipient-token.ts';
import { tokenInPath } from '../../../access/tracking-token.ts';
import { CHANGE_RULES } from '../../../contract/amendment-rules.ts';
import { AMENDMENT_CHANGES, AMENDMENT_OBJECTIONS, type AmendmentChange } from '../../../contract/amendment-state.ts';
import { type RecipientChallenge, recipientChange, refusalRequest } from '../../../contract/recipient.ts';
import { CODE_ATTEMPTS_MAX } from '../../../core/limits.ts';
import type { Locale } from '../../../core/locale.ts';
import type { Precondition } from '../../../core/precondition.ts';
import { Problem } from '../../../core/problem.ts';
import type { Refusal } from '../../../core/result.ts';
import { normalizeShortAddress } from '../../../core/short-address.ts';
import { readDigits } from '../../../core/typed/text.ts';
import { parseUuid } from '../../../core/uuid.ts';
import { changeDelivery } from '../../../domain/recipients/change.ts';
import { refuseDelivery } from '../../../domain/recipients/refusal.ts';
import { RECIPIENT_SECONDS, startRecipientSignIn, verifyRecipient } from '../../../domain/recipients/sign-in.ts';
import { routingFor } from '../../../domain/sandbox/fault/fault.ts';
import type { LinkedShipment } from '../../../domain/tracking/linked-shipment.ts';
import type { Exchange } from '../../route-table.ts';
import { COMPLAINT_WORDS } from './complaint-words.ts';
import { complain, withdraw } from './complaints.tsx';
import { type Found, find, locate, suggest } from './look-ups.ts';
import { askForReturn } from './returns.tsx';
import type { News, Proposal } from './shown.ts';
import { type Trouble, WORDS } from './words.ts';

/* What the forms of the recipient's page do. */

/** What the page shows after a form, or by its address. `done`: at its own address, with this query. */
export type Outcome = { readonly kind: 'done'; readonly query: string; readonly cookie?: string } | Done;
export interface Done {
  readonly kind: 'shown';
  readonly newsIn?: ((locale: Locale, merchantName: string) => News) | undefined;
  readonly challenge?: RecipientChallenge | undefined;
  readonly proposals?: readonly Proposal[] | undefined;
  /** It is read from the address, which anybody can make up. Only a signed-in recipient sees it. */
  readonly isInAddress?: true;
}

/** Names of what was changed, of what waits for the merchant, and of what is in the way. Anything else in the address is ignored. */
export function doneOf(query: URLSearchParams): Done {
  const changes = (name: string) =>
    (query.get(name) ?? '').split(',').flatMap((text) => OF_RECIPIENTS.filter((change) => change === text));
  const trouble = TROUBLES.find((one) => one === query.get('trouble'));
  if (trouble !== undefined) return troubled(trouble, { isInAddress: true });
  if (query.has('complained'))
    return {
      kind: 'shown',
      isInAddress: true,
      newsIn: (locale) => ({ text: COMPLAINT_WORDS[locale].sent, isTrouble: false }),
    };
  if (!query.has('changed')) return { kind: 'shown' };
  const [changed, waiting] = [changes('changed'), changes('waiting')];
  const newsIn = (locale: Locale, merchantName: string) => changeNews({ changed, waiting }, locale, merchantName);
  return { kind: 'shown', newsIn, isInAddress: true };
}
const OF_RECIPIENTS = AMENDMENT_CHANGES.filter((change) => CHANGE_RULES[change].recipient !== null);
const OF_COMPLAINTS = ['COMPLAINED', 'COMPLAINTS_MANY', 'COMPLAINT_LATE', 'NOT_DELIVERED'] as const;
const TROUBLES: readonly Trouble[] = [...AMENDMENT_OBJECTIONS, 'STALE', 'INVALID', 'UNAVAILABLE', ...OF_COMPLAINTS];

interface Names {
  readonly changed: readonly AmendmentChange[];
  readonly waiting: readonly AmendmentChange[];
}

/** One line: what was changed, and until when it can be changed again. */
function changeNews({ changed, waiting }: Names, locale: Locale, merchantName: string): News {
  const words = WORDS[locale];
  const names = [...new Set(changed.map((change) => words.changes[change]))].join(locale === 'ar' ? '، ' : ', ');
  const isUntilEnd = changed.every((change) => change === 'PLACE' || change === 'INSTRUCTIONS');
  const until = isUntilEnd ? words.untilEnd : words.untilDeparture;
  const said = [
    ...(names === '' ? [] : [words.changed(names), until]),
    ...(waiting.length === 0 ? [] : [words.waiting(merchantName)]),
  ];
  return { text: said.length === 0 ? words.nothingChanged : said.join(' '), isTrouble: false };
}

function troubled(trouble: Trouble, rest: Omit<Done, 'kind' | 'newsIn'> = {}): Done {
  return { kind: 'shown', ...rest, newsIn: (locale) => ({ text: WORDS[locale].troubles[trouble], isTrouble: true }) };
}

/** Runs the action of a form. An unknown one only shows the page. */
export async function runAction(exchange: Exchange, linked: LinkedShipment, form: URLSearchParams): Promise<Outcome> {
  const action = form.get('do') ?? '';
  if (action === 'code') return sendCode(exchange);
  if (action === 'verify') return verify(exchange, form);
  const run = ACTIONS[action];
  if (run === undefined) return { kind: 'shown' };
  try {
    // Again with this request's method: a cookie alone does not open a change from another site.
    await signedInRecipient(exchange, tokenOf(exchange));
  } catch (error) {
    // The half hour is over.
    if (error instanceof Problem && error.refusal.code === 'AUTHENTICATION_REQUIRED') return troubled('SIGNED_OUT');
    throw error;
  }
  return run(exchange, linked, form);
}

type Action = (exchange: Exchange, linked: LinkedShipment, form: URLSearchParams) => Promise<Outcome>;
const ACTIONS: Readonly<Record<string, Action>> = {
  confirm: (exchange, linked, form) =>
    change(exchange, linked, { given: { confirmed: true }, precondition: preconditionOf(form) }),
  move: (exchange, linked, form) =>
    change(exchange, linked, {
      given: {
        confirmed: true,
        location: pointOf(form),
        ...textOf(form, 'addressLine'),
        ...textOf(form, 'shortAddress'),
      },
      precondition: ANY,
    }),
  door: (exchange, linked, form) => change(exchange, linked, { given: doorOf(form), precondition: ANY }),
  window: (exchange, linked, form) =>
    change(exchange, linked, { given: textOf(form, 'windowStart'), precondition: ANY }),
  locate: async (...about) => shownOf(await locate(...about)),
  find: async (...about) => shownOf(await find(...about)),
  suggest: async (...about) => shownOf(await suggest(...about)),
  show: async (_exchange, _linked, form) => ({ kind: 'shown', proposals: proposalIn(form) }),
  refuse,
  return: async (...about) => complained(await askForReturn(...about), ''),
  complain: async (...about) => complained(await complain(...about), '?complained=1'),
  withdraw: async (...about) => complained(await withdraw(...about), ''),
};

function complained(trouble: Refusal | 'invalid' | undefined, query: string): Outcome {
  if (trouble === 'invalid') return troubled('INVALID');
  return { kind: 'done', query: trouble === undefined ? query : `?trouble=${troubleOf(trouble)}` };
}

function shownOf(found: Found): Done {
  return typeof found === 'string' ? troubled(found) : { kind: 'shown', proposals: found };
}

const ANY: Precondition = { kind: 'any' };

/** What the recipient saw. */
function preconditionOf(form: URLSearchParams): Precondition {
  return { kind: 'versions', versions: [Number(form.get('version') ?? '-1')] };
}

function tokenOf({ parameters }: Exchange): string {
  return tokenInPath(parameters['token'] ?? '');
}

function pointOf(form: URLSearchParams) {
  return { latitude: form.get('latitude') ?? '', longitude: form.get('longitude') ?? '' };
}

/** A text that was typed; an empty one is left out. */
function textOf(form: URLSearchParams, name: string): Record<string, string> {
  const text = (form.get(name) ?? '').trim();
  return text === '' ? {} : { [name]: text };
}

function doorOf(form: URLSearchParams) {
  const kind = form.get('kind') ?? '';
  // Browsers send line ends as two characters (HTML, multipart form data).
  const instructions = (form.get('instructions') ?? '').replaceAll('\r\n', '\n').trim();
  return {
    ...(kind === '' ? {} : { place: { kind, note: (form.get('note') ?? '').trim() } }),
    instructions: instructions === '' ? null : instructions,
  };
}

function proposalIn(form: URLSearchParams): Proposal[] {
  const { latitude, longitude } = pointOf(form);
  const isPoint = recipientChange.location.safeParse({ latitude, longitude }).success;
  const addressLine = form.get('addressLine') ?? '';
  const shortAddress = normalizeShortAddress(form.get('shortAddress') ?? '') ?? null;
  return isPoint ? [{ title: addressLine, addressLine, shortAddress, latitude, longitude }] : [];
}

async function sendCode(exchange: Exchange): Promise<Outcome> {
  const { services, facts, later, enterShard } = exchange;
  const started = await startRecipientSignIn(
    { ...services, later, enterShard },
    tokenOf(exchange),
    facts.address ?? null,
  );
  return started.ok ? { kind: 'shown', challenge: started.value } : troubled(troubleOf(started));
}

async function verify(exchange: Exchange, form: URLSearchParams): Promise<Outcome> {
  const { services, later, enterShard } = exchange;
  const challengeId = parseUuid(form.get('challengeId') ?? '');
  if (challengeId === undefined) return troubled('CODE_OVER');
  const otp = readDigits(form.get('otp') ?? '');
  const verified = await verifyRecipient({ ...services, later, enterShard }, tokenOf(exchange), { challengeId, otp });
  if (verified.ok)
    return { kind: 'done', query: '', cookie: recipientCookie(verified.value.recipientToken, RECIPIENT_SECONDS) };
  const left = Number(verified.members?.['attemptsRemaining'] ?? 0);
  if (verified.code !== 'OTP_INVALID' || left === 0) return troubled(troubleOf(verified));
  // Another try at the same code. The form has what the page showed before.
  const challenge: RecipientChallenge = {
    challengeId,
    maskedDestination: (form.get('sentTo') ?? '').slice(-4),
    expiresAt: '',
    resendAvailableAt: '',
    attemptsRemaining: Math.min(left, CODE_ATTEMPTS_MAX),
  };
  return troubled('CODE_WRONG', { challenge });
}

interface Given {
  readonly given: unknown;
  readonly precondition: Precondition;
}
const CHANGE = z.strictObject(recipientChange);

async function change(
  exchange: Exchange,
  { scope, store, shipment, link }: LinkedShipment,
  { given, precondition }: Given,
): Promise<Outcome> {
  const parsed = CHANGE.safeParse(given);
  if (!parsed.success) return troubled('INVALID');
  const { services, facts, later } = exchange;
  const routing = routingFor(services, store, scope);
  const order = {
    shipmentId: shipment.id,
    permissions: link.permissions,
    change: parsed.data,
    precondition,
    correlationId: facts.correlationId,
  };
  const made = await changeDelivery({ ...services, ...store, routing }, scope, order);
  if (!made.ok) return { kind: 'done', query: `?trouble=${troubleOf(made)}` };
  const { applied, awaitingMerchant } = made.value;
  if (applied.some((name) => name.startsWith('LOCATION') || name === 'SHORT_ADDRESS'))
    checkAddressLater({ services, store, company: scope, later }, shipment.id);
  const waiting = awaitingMerchant.flatMap(({ changes }) => changes);
  const isConfirmed = applied.length + waiting.length === 0 && parsed.data.confirmed === true;
  return { kind: 'done', query: isConfirmed ? '' : `?changed=${applied.join(',')}&waiting=${waiting.join(',')}` };
}

async function refuse(exchange: Exchange, linked: LinkedShipment, form: URLSearchParams): Promise<Outcome> {
  const given = { reasonCode: form.get('reasonCode') ?? '', ...textOf(form, 'comment') };
  const parsed = z.strictObject(refusalRequest).safeParse(given);
  if (!parsed.success) return troubled('INVALID');
  const { correlationId } = exchange.facts;
  const refused = await refuseDelivery(exchange.services, linked, { ...parsed.data, correlationId });
  return { kind: 'done', query: refused.ok ? '' : `?trouble=${troubleOf(refused)}` };
}

/** A refusal in the words of the page. */
function troubleOf({ code, members }: Refusal): Trouble {
  if (code === 'AMENDMENT_NOT_ALLOWED' && members?.['change'] === 'RETURN') return 'NOT_DELIVERED';
  if (code === 'AMENDMENT_NOT_ALLOWED')
    return AMENDMENT_OBJECTIONS.find((reason) => reason === members?.['reason']) ?? 'TOO_LATE';
  return TROUBLE_OF[code] ?? 'UNAVAILABLE';
}
const TROUBLE_OF: Readonly<Partial<Record<Refusal['code'], Trouble>>> = {
  PRECONDITION_FAILED: 'STALE',
  VALIDATION_FAILED: 'INVALID',
  RETURN_QUANTITY_EXCEEDED: 'STALE',
  ACCESS_DENIED: 'NOT_PERMITTED',
  CASE_ALREADY_OPEN: 'COMPLAINED',
  CASE_LIMIT_REACHED: 'COMPLAINTS_MANY',
  SHIPMENT_TERMINAL: 'COMPLAINT_LATE',
  OTP_INVALID: 'CODE_OVER',
  OTP_EXPIRED: 'CODE_OVER',
  OTP_RATE_LIMITED: 'CODES_MANY',
  MESSAGE_PROVIDER_UNAVAILABLE: 'NO_MESSAGES',
};
