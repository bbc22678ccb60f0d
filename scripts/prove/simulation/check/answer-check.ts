import { answerRules, freshnessRules, ownerRules, refusalRules, shownStateRules } from '../../rules/requests.ts';
import type { Ledger } from './ledger.ts';
import { checkSilent } from './proof-check.ts';
import { hold, object, requireNone } from './rule-broken.ts';

/** The facts of a request that the check needs. */
export interface CheckedRequest {
  readonly name: string;
  readonly path: string;
  readonly token?: string;
  readonly correlationId: string;
  /** The company whose data the answer may have. */
  readonly company?: { readonly companyId: string } | undefined;
  readonly shipmentId?: string;
  /** The version of that shipment when the request was sent. */
  readonly versionBefore: number;
}

/** The first request with this key is still running, so its creation may still happen. */
const UNDECIDED = /IDEMPOTENCY_REQUEST_IN_PROGRESS/;
const PUBLIC = /^\/(?:t|v2\/public\/tracking)\//;
/** Names, address lines, short codes, and what recipients tell drivers. No other text of the simulation has them. */
const MARKS = /Noura|King Fahd Road|\bDoor \d|\bRing \d|\bZZXQ\d{4}\b/;
const ID = /"(shipmentId|endpointId|linkId|deliveryId|companyId)":"([0-9a-f-]{36})"/g;

/** The rules for every answer to every caller. */
export function checkAnswer(
  ask: CheckedRequest,
  { status, text }: { readonly status: number; readonly text: string },
  ledger: Ledger,
): void {
  const { name } = ask;
  ledger.see(`${name} ${status}${codeOf(text)}`);
  requireNone(answerRules({ name, status, text, isDocumented: true }));
  if (PUBLIC.test(ask.path) && (ask.token === undefined || status >= 400)) checkHidden(ask, text, ledger);
  // Recipients who have signed in read their PIN.
  if (!PUBLIC.test(ask.path) || ask.token === undefined || status >= 400) checkSilent(name, text, ledger);
  if (status === 503) return;
  if (status >= 400 || name === 'lock price') {
    if (UNDECIDED.test(text)) return;
    const change = ledger.changes.get(ask.correlationId);
    requireNone(refusalRules({ name: `${name}, answered ${status},`, changes: change === undefined ? [] : [change] }));
    ledger.refused.add(ask.correlationId);
    if (status >= 400) return;
  }
  const { company } = ask;
  if (company !== undefined) checkOwner(ask.name, company.companyId, text, ledger);
  if (text.includes('"shipmentNumber"')) checkTold(JSON.parse(text), ask, ledger);
}

/** Without a code from the phone of the shipment, a tracking link shows nothing about the recipient. */
function checkHidden({ name, shipmentId }: CheckedRequest, text: string, ledger: Ledger): void {
  // A return goes to a merchant, who may have no phone.
  const phone = ledger.phones.get(shipmentId ?? '')?.slice('+966'.length) ?? '';
  const found = MARKS.exec(text)?.[0] ?? (phone !== '' && text.includes(phone) ? phone : undefined);
  hold(found === undefined, 'recipient', () => `${name} was answered with ${found} of ${shipmentId}`);
}

function codeOf(problem: string): string {
  const code = /^\{"code":"([A-Z][A-Z0-9_]+)"/.exec(problem)?.[1];
  return code === undefined ? '' : ` ${code}`;
}

/** Every id in the answer belongs to the company that asked. */
function checkOwner(name: string, companyId: string, text: string, ledger: Ledger): void {
  for (const [, kind, id = ''] of text.matchAll(ID)) {
    const owner = kind === 'companyId' ? id : ownerOf(kind, id, ledger);
    requireNone(ownerRules({ name, thing: `${kind} ${id}`, owner, companyId }));
  }
}

function ownerOf(kind: string | undefined, id: string, ledger: Ledger): string | undefined {
  switch (kind) {
    case 'shipmentId':
      return ledger.shipments.get(id)?.companyId;
    case 'endpointId':
      return ledger.endpoints.get(id)?.companyId;
    case 'linkId':
      return ledger.links.get(id)?.companyId;
    default:
      return ledger.endpoints.get(ledger.deliveries.get(id)?.endpointId ?? '')?.companyId;
  }
}

/** A shipment as it is shown to its merchant, in an event, or to its driver. */
function checkTold(body: unknown, ask: CheckedRequest, ledger: Ledger): void {
  if (Array.isArray(body)) {
    for (const entry of body) checkTold(entry, ask, ledger);
    return;
  }
  if (typeof body !== 'object' || body === null) return;
  const { shipmentId, version, state, data, shipment } = body as Record<string, unknown>;
  if (data !== undefined) checkTold(data, ask, ledger);
  if (shipment !== undefined) checkTold(shipment, ask, ledger);
  if (typeof shipmentId !== 'string' || typeof version !== 'number' || typeof state !== 'string') return;
  const known = ledger.shipments.get(shipmentId);
  if (known === undefined) return object('told', `${ask.name} describes ${shipmentId}, which was never committed`);
  const { name, versionBefore } = ask;
  requireNone(shownStateRules({ name, shipmentId, version, state, stateThen: known.states[version] }));
  if (ask.shipmentId === shipmentId) requireNone(freshnessRules({ name, shipmentId, version, versionBefore }));
}
