import type { Database } from '../../../db/database.ts';
import type { WriteStatement } from '../../../db/statement.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { EndpointState } from '../../contract/event-type.ts';
import type { EndpointChanges, EndpointRequest, WebhookEndpoint } from '../../contract/webhook.ts';
import type { Deployment } from '../../core/deployment.ts';
import type { LimitText } from '../../core/limit-texts.ts';
import { checkPrecondition, type Precondition } from '../../core/precondition.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { auditOf, changedMembers, changeVersioned, commitChange, type EntryDetails } from '../audit/change.ts';
import { type Bind, unbound } from '../idempotency/once.ts';
import { type Page, type PageDependencies, type PageRequest, positionOf, readPage } from '../page.ts';
import { readRow } from '../rows.ts';
import { type AddressFault, checkAddress } from './address.ts';
import { type EndpointSecrets, newSigningSecret } from './secret.ts';
import {
  type EndpointRow,
  type EndpointUpdate,
  endpointById,
  endpointDelete,
  endpointInsert,
  endpointPage,
  endpointUpdate,
} from './store.ts';
import { presentEndpoint } from './view.ts';

export interface EndpointDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
  readonly random: Random;
  readonly endpointSecrets: EndpointSecrets;
  readonly config: { readonly deployment: Deployment; readonly baseUrl: string };
}

/** Endpoints of a company, disabled ones included: few enough that one statement writes the deliveries of an event. */
export const ENDPOINTS_MAX = 10;

export interface NewEndpoint {
  readonly row: EndpointRow;
  readonly signingSecret: string;
  /** Endpoints of the company that have the same address already: each of them gets every event that both subscribe to. */
  readonly sameUrlAs: readonly Uuid[];
}

/** A new endpoint with its signing secret, which only this response contains. */
export async function createEndpoint(
  dependencies: EndpointDependencies,
  scope: CompanyScope,
  request: EndpointRequest,
  bind: Bind<NewEndpoint> = unbound,
): Promise<Result<NewEndpoint>> {
  const { database, clock, random, endpointSecrets, config } = dependencies;
  const normal = normalUrl(config, request.url);
  if (!normal.ok) return normal;
  const url = normal.value;
  const others = await database.read(endpointPage(scope, undefined, ENDPOINTS_MAX));
  if (!others.ok) return unavailable();
  const sameUrlAs = others.rows.filter((other) => other.url === url).map(({ id: other }) => other);
  const [id, now, signingSecret] = [random.uuid(), clock.now(), newSigningSecret(random)];
  const row: EndpointRow = {
    id,
    companyId: scope.companyId,
    url,
    description: request.description ?? null,
    eventTypes: JSON.stringify(request.eventTypes),
    state: request.enabled === false ? 'DISABLED' : 'ENABLED',
    secret: await endpointSecrets.seal(id, signingSecret),
    secretHint: signingSecret.slice(-4),
    previousSecret: null,
    previousSecretExpiresAt: null,
    lastSuccessAt: null,
    lastFailureAt: null,
    consecutiveFailures: 0,
    failingSince: null,
    pausedUntil: null,
    pauseCount: 0,
    createdAt: now,
    updatedAt: now,
    version: 0,
  };
  const made = { row, signingSecret, sameUrlAs };
  const settled = await commitChange(dependencies, {
    unit: await bind({ statements: [endpointInsert(scope, row, ENDPOINTS_MAX)] }, made),
    audit: auditOf(dependencies, scope, {
      action: 'webhook_endpoint.created',
      subject: id,
      at: now,
      detail: { host: new URL(row.url).host },
    }),
    committed: endpointById(scope, id),
  });
  if (!settled.ok) return settled;
  return settled.value ? ok(made) : refuse('WEBHOOK_ENDPOINT_LIMIT_REACHED');
}

/** One endpoint of the company. An unknown endpoint and one of another company get the same refusal. */
export function readEndpoint(database: Database, scope: CompanyScope, id: Uuid): Promise<Result<EndpointRow>> {
  return readRow(database, endpointById(scope, id), 'RESOURCE_NOT_FOUND');
}

/** Endpoints of the company, newest first. */
export function listEndpoints(
  dependencies: PageDependencies & { readonly clock: CompanyClock },
  scope: CompanyScope,
  request: PageRequest,
): Promise<Result<Page<WebhookEndpoint>>> {
  const now = dependencies.clock.now();
  return readPage(dependencies, request, {
    binding: ['webhook-endpoints', scope.companyId, 'createdAt desc'],
    select: (after, rows) => endpointPage(scope, positionOf(after), rows),
    positionOf: (row) => [String(row.createdAt), row.id],
    present: (row) => presentEndpoint(row, now),
  });
}

export interface EndpointOrder {
  readonly endpointId: Uuid;
  readonly precondition: Precondition;
}

/** Changes the given members and keeps the others. Without any member nothing changes. */
export async function updateEndpoint(
  dependencies: EndpointDependencies,
  scope: CompanyScope,
  { endpointId, precondition, ...changes }: EndpointOrder & EndpointChanges,
): Promise<Result<EndpointRow>> {
  const { database, clock, config } = dependencies;
  const changed = await changeEndpoint(dependencies, scope, {
    endpointId,
    precondition,
    decide: (row) => {
      const normal = changes.url === undefined ? ok(row.url) : normalUrl(config, changes.url);
      if (!normal.ok) return normal;
      if (Object.values(changes).every((value) => value === undefined)) return ok(undefined);
      const change = changeOf(row, { ...changes, url: normal.value }, clock);
      const { url, description, eventTypes, state } = change;
      const members = changedMembers(row, { url, description, eventTypes, state }).join(' ');
      const detail = { version: row.version + 1, members, host: new URL(url).host, state };
      return ok({
        statement: endpointUpdate(scope, change),
        action: 'webhook_endpoint.updated',
        at: change.now,
        detail,
      });
    },
  });
  // Deliveries change the row without raising its version.
  return changed.ok ? readEndpoint(database, scope, endpointId) : changed;
}

/** Deletes an endpoint. Its open deliveries are skipped. */
export function deleteEndpoint(
  dependencies: EndpointDependencies,
  scope: CompanyScope,
  order: EndpointOrder,
): Promise<Result<void>> {
  return changeEndpoint(dependencies, scope, {
    ...order,
    decide: ({ id, version, url }) => {
      const now = dependencies.clock.now();
      const statement = endpointDelete(scope, { id, version, now });
      return ok({ statement, action: 'webhook_endpoint.deleted', at: now, detail: { host: new URL(url).host } });
    },
  });
}

interface EndpointChange extends EndpointOrder {
  /** Undefined if there is nothing to do. */
  readonly decide: (
    row: EndpointRow,
  ) => Result<(Omit<EntryDetails, 'subject'> & { readonly statement: WriteStatement }) | undefined>;
}

function changeEndpoint(
  dependencies: EndpointDependencies,
  scope: CompanyScope,
  { endpointId, precondition, decide }: EndpointChange,
): Promise<Result<void>> {
  return changeVersioned<EndpointRow, void>(dependencies, {
    read: () => readEndpoint(dependencies.database, scope, endpointId),
    decide: (row) => {
      const decided = checkPrecondition(precondition, row.version) ?? decide(row);
      if (!decided.ok) return decided;
      if (decided.value === undefined) return ok({ kind: 'unchanged', value: undefined });
      const { statement, ...details } = decided.value;
      const audit = auditOf(dependencies, scope, { ...details, subject: endpointId });
      return ok({ kind: 'change', value: undefined, unit: { statements: [statement] }, audit });
    },
  });
}

function changeOf(row: EndpointRow, changes: EndpointChanges, clock: CompanyClock): EndpointUpdate {
  const state = stateAfter(row.state, changes.enabled);
  const url = changes.url ?? row.url;
  return {
    id: row.id,
    version: row.version,
    url,
    description: changes.description === undefined ? row.description : changes.description,
    eventTypes: changes.eventTypes === undefined ? row.eventTypes : JSON.stringify(changes.eventTypes),
    state,
    isFresh: url !== row.url || (state === 'ENABLED' && row.state !== 'ENABLED'),
    now: clock.now(),
  };
}

function stateAfter(state: EndpointState, enabled: boolean | undefined): EndpointState {
  if (enabled === undefined) return state;
  return enabled ? 'ENABLED' : 'DISABLED';
}

/** What the address must be instead. */
const ADDRESS_TEXTS = {
  NOT_A_URL: 'addressUrl',
  ENCODING: 'addressEncoding',
  FRAGMENT: 'addressFragment',
  DIRECTION_MARK: 'addressMarks',
  LENGTH: 'addressLength',
  SCHEME: 'addressScheme',
  CREDENTIALS: 'addressCredentials',
  IP_ADDRESS: 'addressNumbers',
  HOST: 'addressName',
  OWN_ADDRESS: 'addressOwn',
  PORT: 'addressPort',
} as const satisfies Readonly<Record<AddressFault, LimitText>>;

/** The address in the normal form of the URL standard. It is kept so, because equal addresses are then equal texts. */
function normalUrl(config: EndpointDependencies['config'], url: string): Result<string> {
  const checked = checkAddress(url, config);
  if (checked.ok) return ok(checked.url.href);
  const violation = { field: 'url', code: 'PATTERN_MISMATCH', limit: ADDRESS_TEXTS[checked.fault] } as const;
  return refuse('WEBHOOK_URL_NOT_ALLOWED', { members: { reason: checked.fault }, violations: [violation] });
}
