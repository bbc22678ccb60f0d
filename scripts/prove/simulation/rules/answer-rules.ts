import type { Answer, SentAsk } from '../asks.ts';
import type { Ledger } from '../ledger.ts';
import { hold, object } from './objection.ts';

/** What is no answer to the request itself: it may come about yet. */
const UNDECIDED = /IDEMPOTENCY_REQUEST_IN_PROGRESS/;
const ID = /"(shipmentId|endpointId|linkId|deliveryId|companyId)":"([0-9a-f-]{36})"/g;

/** Holds for whatever is answered, to whomever. */
export function checkAnswer(ask: SentAsk, answer: Answer, ledger: Ledger): void {
  const { status, text } = answer;
  ledger.see(`${ask.name} ${status}${codeOf(text)}`);
  hold(status !== 500, 'bug', () => `${ask.method} ${ask.path}: ${text}`);
  if (status === 503) return;
  if (status >= 400) {
    if (UNDECIDED.test(text)) return;
    const change = ledger.changes.get(ask.correlationId);
    hold(change === undefined, 'refused', () => `${ask.method} ${ask.path} got ${status}, and did: ${change}`);
    ledger.refused.add(ask.correlationId);
    return;
  }
  const { company } = ask;
  if (company !== undefined) checkOwner(company.companyId, text, ledger);
  if (text.includes('"shipmentNumber"')) checkTold(JSON.parse(text), ask, ledger);
}

function codeOf(problem: string): string {
  const code = /"code":"([A-Z][A-Z0-9_]+)","timestamp"/.exec(problem)?.[1];
  return code === undefined ? '' : ` ${code}`;
}

/** Every id in the answer is of something of the company's. */
function checkOwner(companyId: string, text: string, ledger: Ledger): void {
  for (const [, kind, id = ''] of text.matchAll(ID)) {
    const owner = kind === 'companyId' ? id : ownerOf(kind, id, ledger);
    hold(owner === undefined || owner === companyId, 'tenancy', () => `${kind} ${id} was answered to ${companyId}`);
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

/** A shipment as it is shown: to its merchant, in an event, to its driver. */
function checkTold(body: unknown, ask: SentAsk, ledger: Ledger): void {
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
  if (known === undefined) return object('told', `${ask.name} tells of ${shipmentId}, which was never committed`);
  hold(known.states[version] === state, 'told', () => `${shipmentId} was never ${state} at version ${version}`);
  const isFresh = ask.shipmentId !== shipmentId || version >= ask.versionBefore;
  hold(isFresh, 'told', () => `${ask.name}: ${shipmentId} at version ${version}, after ${ask.versionBefore}`);
}
