import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Statement } from '../../db/statement.ts';
import { newId } from '../../scripts/shared/seed-values.ts';
import { instantFromMillis } from '../../src/core/instant.ts';
import {
  callOfFullWindow,
  expiredAddresses,
  keptAddress,
  oldCalls,
} from '../../src/domain/addresses/registry-store.ts';
import { operatorAuditPage } from '../../src/domain/audit/store.ts';
import { oldChallenges, oldCodes, oldUses } from '../../src/domain/challenges/store.ts';
import { companyPage } from '../../src/domain/companies/operator-store.ts';
import { clientByClientId, expiredRevocations, liveSecret } from '../../src/domain/credentials/store.ts';
import { openOfferPage } from '../../src/domain/drivers/offer-store.ts';
import {
  assignedPage,
  expiredDriverSessions,
  oldRecipientLooks,
  openOffersOf,
} from '../../src/domain/drivers/store.ts';
import { eventPage, lastEvent } from '../../src/domain/events/feed-store.ts';
import { oldEvents } from '../../src/domain/events/upkeep-store.ts';
import { expiredKeys } from '../../src/domain/idempotency/store.ts';
import { mediaPage } from '../../src/domain/media-assets/store.ts';
import { withdrawalStatements } from '../../src/domain/offers/store.ts';
import { companySessions, idleSessions, lastSignIns, liveSession } from '../../src/domain/people/session/store.ts';
import { pricedPage } from '../../src/domain/pricing/tariff-store.ts';
import { recipientsWithPhone } from '../../src/domain/recipients/known-store.ts';
import { registrationPage } from '../../src/domain/registrations/review-store.ts';
import { expiredDrafts, outdatedDocuments, unprovisioned } from '../../src/domain/registrations/sweep/store.ts';
import { unlistedSince } from '../../src/domain/registrations/upload-store.ts';
import { rememberedRecipients } from '../../src/domain/shipments/forget-store.ts';
import { foundPage, queuePage, queueSize } from '../../src/domain/shipments/operator-store.ts';
import { termsOf } from '../../src/domain/shipments/search.ts';
import { type ShipmentWalk, walkedPage, walkSize } from '../../src/domain/shipments/search-store.ts';
import {
  pricesOf,
  statementLines,
  statementRates,
  statementShipments,
} from '../../src/domain/shipments/statement-store.ts';
import { viewsAddition } from '../../src/domain/tracking/store.ts';
import { nextDeliveries } from '../../src/domain/webhooks/delivery-store.ts';
import { deliveryById, deliveryPage, oldestMissed, sentBy } from '../../src/domain/webhooks/log-store.ts';
import { matchedInRange, nextToReplay } from '../../src/domain/webhooks/replay-store.ts';
import {
  backlog,
  endpointsWaiting,
  goneEndpoints,
  oldDeliveries,
  oldExchanges,
  oldReplays,
} from '../../src/domain/webhooks/upkeep-store.ts';
import { scopeOf } from '../support/dispatch/test-shard.ts';
import { type Desk, openDesk } from './registrations/desk.ts';

/*
 * Query plans of statements that run every minute across companies, and of filtered lists. Each must use its dedicated
 * index: with another index SQLite would also report SEARCH, but read a month of a company's rows.
 */

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
}, 60_000);
afterAll(() => desk.close());

const now = instantFromMillis(Date.parse('2026-11-21T09:00:00Z'));
const scope = scopeOf(newId());
const position = { position: 0n };
const after = { createdAt: now, key: '1' };

const TIME = { createdFrom: now, createdTo: now, states: [], references: [], shipmentNumbers: null, rows: {} };
const ROWS = { branchCode: 'MAIN', terms: termsOf('4567') };
function statementsOfWalk(change: Partial<ShipmentWalk> & Pick<ShipmentWalk, 'by'>): readonly Statement[] {
  const chosen = { ...TIME, ...change };
  return [
    walkSize(scope, chosen, 101),
    walkedPage(scope, chosen, undefined, 101),
    walkedPage(scope, chosen, after, 101),
  ];
}

const SHARD: Readonly<Record<string, readonly [statements: readonly Statement[], index: string]>> = {
  'expired keys': [statementsOf(expiredKeys(now)), 'idempotency_records_expires_at (expires_at<?)'],
  'replays that are over': [statementsOf(oldReplays(now)), 'webhook_replays_completed (completed_at<?)'],
  'deleted endpoints': [statementsOf(goneEndpoints()), 'webhook_endpoints_deleted'],
  'sessions of drivers': [statementsOf(expiredDriverSessions(now)), 'driver_sessions_expires_at (expires_at<?)'],
  'looks of drivers': [statementsOf(oldRecipientLooks(now)), 'recipient_looks_looked_at (looked_at<?)'],
  'open offers of a driver': [
    [openOfferPage(newId(), now, undefined, 51), openOffersOf(newId())],
    'offers USING INDEX offers_of_driver (driver_id=? AND ended_at=?)',
  ],
  'shipments of a driver, with those that ended lately': [
    [assignedPage(newId(), now, undefined, 51)],
    'offers USING INDEX offers_of_driver (driver_id=? AND ended_at>?)',
  ],
  'the current offer of a shipment': [
    withdrawalStatements(newId(), 'DECLINED', now),
    'SEARCH offers USING PRIMARY KEY (shipment_id=?)',
  ],
  'views of links': [
    [viewsAddition([{ tokenHash: 'hash', count: 1, lastViewedAt: now }])],
    'tracking_links USING INDEX tracking_links_token (token_hash=?)',
  ],
  'recipients to forget': [
    statementsOf(rememberedRecipients(now, now)),
    'shipments_remembered (ended_at>? AND ended_at<?)',
  ],
  'known recipients': [
    [recipientsWithPhone(scope, '+966501234567')],
    'shipments USING INDEX shipments_newest (company_id=?)',
  ],
  'old events': [[oldEvents(now).some], 'o USING INDEX events_of_type ((company_id,type)>(?,?))'],
  'old deliveries': [
    [oldDeliveries(now).some],
    'o USING COVERING INDEX webhook_deliveries_of_endpoint (company_id=? AND endpoint_id=? AND event_type=?)',
  ],
  'old exchanges of first attempts': [
    [oldExchanges(now)[0].some],
    'webhook_deliveries_of_endpoint (company_id=? AND endpoint_id=? AND event_type=? AND created_at>? AND created_at<?)',
  ],
  'old exchanges of other attempts': [statementsOf(oldExchanges(now)[1]), 'webhook_attempts_exchanges (started_at<?)'],
  'endpoints to wake': [[endpointsWaiting(now)], 'webhook_deliveries_due (endpoint_id=? AND next_attempt_at<?)'],
  backlog: [[backlog(now)], 'd USING COVERING INDEX webhook_deliveries_due (endpoint_id=? AND next_attempt_at<?)'],
  'the feed of a type': [
    [eventPage(scope, { type: 'shipment.delivered' }, position, 101)],
    'events_of_type (company_id=? AND type=? AND position>?)',
  ],
  'the feed of a type after an event': [
    [eventPage(scope, { type: 'shipment.delivered' }, { after: newId() }, 101)],
    'events_of_type (company_id=? AND type=? AND position>?)',
  ],
  'the feed of all types': [
    [
      eventPage(scope, {}, position, 101),
      eventPage(scope, {}, { after: newId() }, 101),
      eventPage(scope, {}, { from: now }, 101),
    ],
    'events_of_type (company_id=? AND type=? AND position>?)',
  ],
  'the feed of a shipment': [
    [eventPage(scope, { shipmentId: newId() }, position, 101)],
    'events_of_shipment (shipment_id=?)',
  ],
  'the last event': [[lastEvent(scope)], 'events_of_type (company_id=? AND type=?)'],
  'a delivery by its id': [
    [deliveryById(scope, newId()), sentBy(scope, newId())],
    'd USING INDEX webhook_deliveries_of_shipment (shipment_id=?)',
  ],
  'a replay of a range': [
    [
      matchedInRange(scope, { endpointId: newId(), fromAt: now, toAt: now, statuses: '[]' }, 101),
      nextToReplay(
        {
          companyId: newId(),
          endpointId: newId(),
          fromAt: now,
          toAt: now,
          statuses: '[]',
          cursorAt: now,
          cursorPosition: 0,
        },
        101,
      ),
    ],
    'd USING INDEX webhook_deliveries_of_endpoint (company_id=? AND endpoint_id=? AND event_type=? AND created_at>? AND created_at<?)',
  ],
  'deliveries of a type': [
    [deliveryPage(scope, { eventType: 'shipment.delivered' }, undefined, 101)],
    'd USING COVERING INDEX webhook_deliveries_of_endpoint (company_id=? AND endpoint_id=? AND event_type=?)',
  ],
  'pending approval': [[queuePage('pendingApproval', now, after, 101)], 'shipments_pending_approval'],
  'number of pending approvals': [[queueSize('pendingApproval', now)], 'shipments_pending_approval'],
  'number of unresolved shipments': [[queueSize('unresolved', now)], 'shipments_unresolved'],
  'number of late acceptances': [[queueSize('acceptedTooLong', now)], 'offers_of_driver (driver_id=? AND ended_at=?)'],
  'shipments without their address': [[queuePage('addressBlocked', now, after, 101)], 'shipments_address_blocked'],
  'number of shipments without their address': [[queueSize('addressBlocked', now)], 'shipments_address_blocked'],
  'shipments carried without a verified address': [
    [queuePage('carriedUnverified', now, after, 101), queueSize('carriedUnverified', now)],
    'national_addresses_unanswered',
  ],
  'unresolved shipments': [[queuePage('unresolved', now, after, 101)], 'shipments_unresolved'],
  'late acceptances': [
    [queuePage('acceptedTooLong', now, after, 101)],
    'offers_of_driver (driver_id=? AND ended_at=?)',
  ],
  'late reports': [[queuePage('lateReports', now, after, 101)], 'late_reports_1 (shipment_id=?)'],
  'stranded goods': [[queuePage('strandedGoods', now, after, 101)], 'offers_of_driver (driver_id=? AND ended_at=?)'],
  'a number of any company': [
    [foundPage({ by: 'shipmentNumber', text: '1', companyId: undefined }, undefined, 101)],
    'shipments_number (company_id=? AND shipment_number=?)',
  ],
  'a reference of any company': [
    [foundPage({ by: 'externalReference', text: '["1"]', companyId: undefined }, undefined, 101)],
    'shipments_external_reference (company_id=? AND external_reference=?)',
  ],
  'a phone of any company': [
    [foundPage({ by: 'phoneTail', text: '0009', from: now, to: now, companyId: undefined }, undefined, 101)],
    'shipments_newest (company_id=? AND created_at>? AND created_at<?)',
  ],
  'pictures of a company': [
    [mediaPage(scope, undefined, undefined, 101), mediaPage(scope, undefined, after, 101)],
    'media_assets_newest (company_id=?',
  ],
  'shipments of a time': [
    [...statementsOfWalk({ by: 'time' }), ...statementsOfWalk({ by: 'time', states: ['OFFERED'], rows: ROWS })],
    'shipments_newest (company_id=? AND created_at>? AND ',
  ],
  'shipments in several states': [
    [
      ...statementsOfWalk({ by: 'states', states: ['DELIVERED', 'OFFERED', 'ACCEPTED'] }),
      ...statementsOfWalk({ by: 'states', states: ['OFFERED'], rows: ROWS }),
    ],
    'INDEX shipments_newest_of_stage (company_id=? AND stage=? AND created_at>? AND ',
  ],
  'shipments with an entry of metadata': [
    [
      ...statementsOfWalk({ by: 'metadata', metadata: { key: 'a', value: 'b' } }),
      ...statementsOfWalk({ by: 'metadata', metadata: { key: 'a', value: 'b' }, states: ['OFFERED'], rows: ROWS }),
    ],
    'COVERING INDEX shipment_metadata_entry (company_id=? AND key=? AND value=? AND created_at>? AND ',
  ],
  'shipments by the beginning of a reference': [
    statementsOfWalk({ by: 'references', references: [['a', 'b']], shipmentNumbers: ['SHP-1', 'SHP-2'], rows: ROWS }),
    'COVERING INDEX shipments_external_reference (company_id=? AND external_reference>? AND external_reference<?)',
  ],
  'prices of the last week': [
    [pricedPage({ from: now, oldest: newId() }, newId(), 501)],
    'shipment_terms_1 (shipment_id>? AND shipment_id<?)',
  ],
  'the lines of a statement': [
    [
      statementLines(scope, { from: now, to: now }, undefined, 101),
      statementLines(scope, { from: now, to: now }, { createdAt: now, shipmentId: newId(), number: 0 }, 101),
    ],
    'COVERING INDEX later_charges_month (company_id=? AND created_at>? AND created_at<?)',
  ],
  'the sums of a statement': [
    [statementRates(scope, { from: now, to: now }), statementShipments(scope, { from: now, to: now })],
    'COVERING INDEX shipment_terms_month (company_id=? AND created_at>? AND created_at<?)',
  ],
  'the prices of shipments': [[pricesOf(scope, [newId()])], 'shipment_terms_1 (shipment_id=?)'],
  'all deliveries': [
    [deliveryPage(scope, {}, undefined, 101), deliveryPage(scope, { endpointId: newId() }, undefined, 101)],
    'd USING COVERING INDEX webhook_deliveries_of_endpoint (company_id=? AND endpoint_id=? AND event_type=?)',
  ],
  'more of all deliveries': [
    [deliveryPage(scope, {}, after, 101)],
    'd USING COVERING INDEX webhook_deliveries_of_endpoint (company_id=? AND endpoint_id=? AND event_type=? AND created_at<?)',
  ],
  'failed deliveries': [
    [
      deliveryPage(scope, { status: 'EXHAUSTED' }, undefined, 101),
      deliveryPage(scope, { status: 'RETRYING', eventType: 'shipment.delivered' }, undefined, 101),
      deliveryPage(scope, { status: 'SKIPPED', endpointId: newId() }, undefined, 101),
    ],
    'webhook_deliveries_failed (company_id=? AND status=?)',
  ],
  'what an endpoint misses': [
    [oldestMissed(scope, newId(), now)],
    'd USING INDEX webhook_deliveries_failed (company_id=? AND status=? AND created_at>?)',
  ],
  'more failed deliveries': [
    [deliveryPage(scope, { status: 'EXHAUSTED' }, after, 101)],
    'webhook_deliveries_failed (company_id=? AND status=? AND created_at<?)',
  ],
  'pending deliveries': [
    [
      deliveryPage(scope, { status: 'PENDING' }, undefined, 101),
      deliveryPage(scope, { status: 'PENDING', eventType: 'shipment.delivered' }, after, 101),
    ],
    'd USING COVERING INDEX webhook_deliveries_due (endpoint_id=?)',
  ],
  'successful deliveries': [
    [deliveryPage(scope, { status: 'SUCCEEDED' }, undefined, 101)],
    'd USING INDEX webhook_deliveries_of_endpoint (company_id=? AND endpoint_id=? AND event_type=?)',
  ],
  'the next deliveries of an endpoint': [
    [nextDeliveries(newId(), now, null)],
    'f USING INDEX webhook_deliveries_of_shipment (shipment_id=?)',
  ],
  'more deliveries of a type': [
    [deliveryPage(scope, { eventType: 'shipment.delivered' }, after, 101)],
    'webhook_deliveries_of_endpoint (company_id=? AND endpoint_id=? AND event_type=? AND created_at<?)',
  ],
};
const DIRECTORY: typeof SHARD = {
  'expired revocations': [statementsOf(expiredRevocations(now)), 'token_revocations_expires_at (expires_at<?)'],
  'old challenges': [statementsOf(oldChallenges(now)), 'challenges_created_at (created_at<?)'],
  'old codes': [statementsOf(oldCodes(now)), 'one_time_codes_created_at (created_at<?)'],
  'old uses': [statementsOf(oldUses(now)), 'security_uses_used_at (used_at<?)'],
  'expired addresses': [statementsOf(expiredAddresses(now)), 'registry_addresses_expires_at (expires_at<?)'],
  'old calls of the registry': [statementsOf(oldCalls(now)), 'registry_calls_called_at (called_at<?)'],
  'the call of a full window': [
    [callOfFullWindow({ since: now, max: 100 })],
    'COVERING INDEX registry_calls_called_at (called_at>?)',
  ],
  'a kept address': [[keptAddress('RRRD2929', now)], 'registry_addresses_1 (short_address=?)'],
  'idle sessions': [statementsOf(idleSessions(now)), 'sessions_last_seen_at (last_seen_at<?)'],
  'expired drafts': [[expiredDrafts(now)], 'registrations_expiring (expires_at<?)'],
  'companies without rows': [[unprovisioned()], 'registrations_unprovisioned'],
  'documents of rejected registrations': [
    [outdatedDocuments(now)],
    'registrations_documents_until (documents_until>? AND documents_until<?)',
  ],
  'registrations with a status': [
    [registrationPage('PENDING', undefined, 26), registrationPage('DRAFT', after, 26)],
    'registrations_of_status (review=?',
  ],
  'token checks, which meet no suspension': [
    [liveSecret(newId(), newId(), now), liveSession('hash', now, now), clientByClientId('mcl_one', now)],
    'company_suspensions_open (company_id=?)',
  ],
  'suspended companies': [
    [companyPage({ by: 'companyId', text: newId(), state: 'SUSPENDED' }, undefined, 26)],
    'company_suspensions_open (company_id=?)',
  ],
  'a company by its registration number': [
    [companyPage({ by: 'commercialRegistrationNumber', text: '1010101010', state: undefined }, undefined, 26)],
    'registrations_number (commercial_registration_number=?)',
  ],
  'operators’ changes of a company': [
    [operatorAuditPage({ companyId: newId() }, { createdAt: now, key: newId() }, 26)],
    'audit_entries_of_company (company_id=?',
  ],
  'operators’ changes of one thing': [
    [operatorAuditPage({ subject: newId() }, { createdAt: now, key: newId() }, 26)],
    'audit_entries_of_subject (subject=?',
  ],
  'changes of one operator': [
    [operatorAuditPage({ personId: newId() }, { createdAt: now, key: newId() }, 26)],
    'audit_entries_of_operator (person_id=?',
  ],
  'where the people of a company are signed in': [
    [companySessions(scope, now, now)],
    'audit_entries_newest (company_id=? AND at=?)',
  ],
  'their last sign-ins': [[lastSignIns(scope, now)], 'audit_entries_newest (company_id=? AND at>?)'],
  'unlisted objects': [[unlistedSince(now)], 'unlisted_objects_since (since<?)'],
};

/**
 * Partial indexes with nothing else, and rows that the statement has already found.
 */
const MAY_BE_SCANNED: readonly RegExp[] = [
  /^SCAN (?:webhook_endpoints|registrations) USING (?:COVERING )?INDEX (?:webhook_endpoints_deleted|registrations_unprovisioned)$/,
  // Two queues of a few rows, the drivers of the shard, and the companies that a recursive query found.
  /^SCAN shipments USING (?:COVERING )?INDEX shipments_(?:pending_approval|unresolved|address_blocked)$/,
  /^SCAN (?:d|found)$/,
  // What former drivers reported: a shipment in thousands is taken over, and few of their drivers report later.
  /^SCAN late_reports USING COVERING INDEX sqlite_autoindex_late_reports_1$/,
  /^SCAN (?:open|firsts|present|search|wanted|page|members|CONSTANT ROW|\(subquery-\d+\))$/,
  // The states that a request brings along.
  /^SCAN json_each VIRTUAL TABLE /,
  // The lines of a statement that its indexes have found.
  /^SCAN (?:frozen|later|created|lines?)(?: VIRTUAL TABLE INDEX 1:)?$/,
  // The types of events.
  /^SCAN (?:\d+ CONSTANT ROWS|one)$/,
];

describe.each([
  ['shard-1', SHARD],
  ['directory', DIRECTORY],
] as const)('in the %s', (database, cases) => {
  test.each(Object.entries(cases))('%s use their index', async (_name, [statements, index]) => {
    for (const statement of statements) {
      const plan = await planOf(database, statement);
      expect(plan.filter((step) => step.startsWith('SCAN') && !MAY_BE_SCANNED.some((scan) => scan.test(step)))).toEqual(
        [],
      );
      expect(plan.join('\n')).toContain(index);
    }
  });
});

test.each([{}, { status: 'PENDING' }, { status: 'SUCCEEDED' }] as const)(
  'deliveries with %j are read by their positions, and not all of the company',
  async (filter) => {
    for (const position of [undefined, after]) {
      const plan = await planOf('shard-1', deliveryPage(scope, filter, position, 101));
      expect(plan).toContain('SEARCH webhook_deliveries USING INTEGER PRIMARY KEY (rowid=?)');
    }
  },
);

test('a scan is detected', async () => {
  const plan = await planOf('shard-1', { sql: 'select id from shipments where recipient_name = ?', args: ['Sara'] });
  expect(plan).toEqual(['SCAN shipments']);
});

function statementsOf({ some, deletion }: ReturnType<typeof oldEvents>): readonly Statement[] {
  return [some, ...deletion([])];
}

async function planOf(database: 'shard-1' | 'directory', { sql, args }: Statement): Promise<string[]> {
  const rows = await desk.sql(database, `explain query plan ${sql}`, args.map(String));
  return rows.map((row) => String(row.at(-1)));
}
