import type { Rule } from '../rules/promises.ts';
import type { Answer, SentAsk } from './asks.ts';
import type { WorldOptions } from './world.ts';

/** One bug, and the rules of which one at least has to object to it. */
export interface PlantedBug extends Pick<WorldOptions, 'rewrite' | 'spoil' | 'distort'> {
  readonly bug: string;
  readonly rules: readonly Rule[];
}

type Rewrite = NonNullable<WorldOptions['rewrite']>;

/** The statements that begin so, without one part of them. A part that is not there would plant nothing. */
function changed(head: string, part: string, instead: string): Rewrite {
  return (sql) => {
    if (!sql.startsWith(head)) return sql;
    if (!sql.includes(part)) throw new Error(`No bug can be planted in ${sql}`);
    return sql.replaceAll(part, instead);
  };
}

const leftOut =
  (head: string): Rewrite =>
  (sql) =>
    sql.startsWith(head) ? undefined : sql;

const STANDING = 'update "shipments" set "state"';
const SETTLEMENT = 'update "webhook_deliveries" set "status" = settled.column3';
const ALL_SHIPMENTS = 'select "id", "company_id", "shipment_number"';
const IGNORED_TWICE = 'insert or ignore into "shipment_events"';

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    bug: 'an offer counts as accepted',
    rules: ['edge'],
    rewrite: changed(
      STANDING,
      'set "state" = moved.column4',
      `set "state" = replace(moved.column4, 'OFFERED', 'ACCEPTED')`,
    ),
  },
  {
    bug: 'commands commit on whatever version there is, and history takes anything',
    rules: ['edge', 'version'],
    rewrite: (sql) => {
      if (sql.startsWith('insert into "shipment_events"'))
        return sql.replace('insert into "shipment_events"', IGNORED_TWICE);
      return changed(STANDING, '"shipments"."version" = moved.column3', 'moved.column3 is not null')(sql);
    },
  },
  {
    bug: 'a change raises the version by two',
    rules: ['version'],
    rewrite: changed(STANDING, '"version" = moved.column5', '"version" = moved.column5 + 1'),
  },
  {
    bug: 'a change is not written into the history',
    rules: ['event'],
    rewrite: leftOut('insert into "shipment_events"'),
  },
  { bug: 'a change is told to nobody', rules: ['event'], rewrite: leftOut('insert into "events"') },
  {
    bug: 'an event counts twice',
    rules: ['sequence'],
    rewrite: changed(STANDING, '"event_count" + 1', '"event_count" + 2'),
  },
  {
    bug: 'what was agreed on is changed when a shipment is cancelled',
    rules: ['forever'],
    spoil: `create trigger bug after insert on later_charges begin
      update shipment_terms set cancellation_amount = '0' where shipment_id = new.shipment_id; end`,
  },
  { bug: 'a reference is free again', rules: ['reference'], spoil: 'drop index shipments_external_reference' },
  { bug: 'the key is not kept', rules: ['key'], rewrite: leftOut('insert into "idempotency_records"') },
  { bug: 'what a refused unit did stays', rules: ['key', 'event'], rewrite: leftOut('ROLLBACK TO unit') },
  {
    bug: 'a shipment is created without its terms',
    rules: ['whole'],
    rewrite: leftOut('insert into "shipment_terms"'),
  },
  {
    bug: 'a pickup location is taken as it was remembered',
    rules: ['place'],
    rewrite: (sql) => sql.replace('"pickup_locations"."version" = ?', '? is not null'),
  },
  {
    bug: 'a hold is not used up',
    rules: ['hold'],
    rewrite: leftOut('update "sandboxes" set "dispatch_held" = 0'),
  },
  { bug: 'an offer is not written down', rules: ['offer'], rewrite: leftOut('insert into "offers"') },
  {
    bug: 'who refused is forgotten',
    rules: ['twice'],
    rewrite: changed('update "dispatches" set "driver_id" = null', 'case when ? = 1', 'case when ? = 2'),
  },
  {
    bug: 'the place of a driver stays taken',
    rules: ['places'],
    rewrite: (sql) => sql.replace('"drivers"."active_count" - 1', '"drivers"."active_count" - 0'),
  },
  {
    bug: 'who subscribed to everything gets nothing',
    rules: ['delivery'],
    rewrite: (sql) =>
      sql.startsWith('insert into "webhook_deliveries"')
        ? sql.replace(`in ('*', "events"."type")`, 'in ("events"."type")')
        : sql,
  },
  {
    bug: 'a delivery is given up after its first failure',
    rules: ['exhausted'],
    rewrite: changed(
      SETTLEMENT,
      '"status" = settled.column3',
      `"status" = replace(settled.column3, 'RETRYING', 'EXHAUSTED')`,
    ),
  },
  {
    bug: 'a failure counts as success',
    rules: ['receipt'],
    rewrite: changed(
      SETTLEMENT,
      '"status" = settled.column3',
      `"status" = replace(settled.column3, 'RETRYING', 'SUCCEEDED')`,
    ),
  },
  {
    bug: 'events are sent with a blank more',
    rules: ['same'],
    rewrite: (sql) =>
      sql.replace(
        '"webhook_deliveries"."attempt_count", "events"."body"',
        `"webhook_deliveries"."attempt_count", "events"."body" || ' '`,
      ),
  },
  {
    bug: 'no delivery waits for the one before',
    rules: ['order'],
    rewrite: (sql) => sql.replaceAll('f.position < d.position', 'f.position < 0'),
  },
  {
    bug: 'a revocation leaves the version as it was',
    rules: ['link'],
    rewrite: changed('update "tracking_links" set "revoked_at"', '"version" + 1', '"version" + 0'),
  },
  {
    bug: 'a link is followed after it was revoked',
    rules: ['link'],
    rewrite: (sql) =>
      sql.replace(
        '"tracking_links"."token_hash" = ? and "tracking_links"."revoked_at" is null',
        '"tracking_links"."token_hash" = ?',
      ),
  },
  {
    bug: 'a commit is called off, and answered as if it were not',
    rules: ['acknowledged'],
    rewrite: (sql) => (sql === 'COMMIT' ? 'ROLLBACK' : sql),
  },
  {
    bug: 'a replay is another text than the first answer',
    rules: ['replay'],
    rewrite: (sql) =>
      sql.replace(
        'select "company_id", "client_id", "operation", "key", "fingerprint", "status", "response"',
        `select "company_id", "client_id", "operation", "key", "fingerprint", "status", replace("response", 'Noura', 'Nora')`,
      ),
  },
  {
    bug: 'a cancellation that was done is called a conflict',
    rules: ['refused'],
    distort: whenever(
      ({ name }, { status }) => name === 'cancel' && status === 200,
      (answer) => ({ ...answer, status: 409 }),
    ),
  },
  {
    bug: 'a read answers an older version',
    rules: ['back'],
    distort: whenever(
      ({ name }, { status }) => name === 'get' && status === 200,
      (answer) => ({
        ...answer,
        text: answer.text
          .replace(/"state":"\w+"/, '"state":"PENDING_APPROVAL"')
          .replace(/"version":\d+/, '"version":0'),
      }),
    ),
  },
  {
    bug: 'a read answers a state that the shipment never had',
    rules: ['told'],
    distort: whenever(
      ({ name }, { status }) => name === 'get' && status === 200,
      (answer) => ({ ...answer, text: answer.text.replace(/"version":\d+/, '"version":999') }),
    ),
  },
  {
    bug: 'a delivery is skipped although its endpoint is enabled',
    rules: ['ended'],
    rewrite: changed(
      SETTLEMENT,
      '"status" = settled.column3',
      `"status" = replace(settled.column3, 'SUCCEEDED', 'SKIPPED')`,
    ),
  },
  {
    bug: 'webhooks are signed with another secret than the one that was answered',
    rules: ['signed'],
    distort: whenever(
      ({ name }, { status }) => name === 'subscribe' && status === 201,
      (answer) => ({ ...answer, text: answer.text.replace('"signingSecret":"whsec_', '"signingSecret":"whsec_AAAA') }),
    ),
  },
  {
    bug: 'a shipment is read by whoever knows its id',
    rules: ['tenancy'],
    rewrite: (sql) =>
      sql.startsWith(ALL_SHIPMENTS)
        ? sql.replace(
            '("shipments"."id" = ? and "shipments"."company_id" = ?)',
            '("shipments"."id" = ? and ? is not null)',
          )
        : sql,
  },
  {
    bug: 'lists are of all companies',
    rules: ['tenancy'],
    rewrite: (sql) =>
      sql.startsWith(ALL_SHIPMENTS) ? sql.replace('where "shipments"."company_id" = ?', 'where ? is not null') : sql,
  },
  {
    bug: 'decimals go through doubles',
    rules: ['exact'],
    distort: whenever(
      ({ name }, { status }) => name === 'create' && status === 201,
      (answer) => ({ ...answer, text: JSON.stringify(JSON.parse(answer.text)) }),
    ),
  },
  {
    bug: 'a column is not there',
    rules: ['answer'],
    rewrite: (sql) => sql.replace('"tracking_links"."merchant_name"', '"tracking_links"."no_such_name"'),
  },
  {
    bug: 'nobody approves',
    rules: ['owed'],
    rewrite: (sql) => sql.replace(`= 'AUTOMATIC' then`, `= 'NEVER' then`),
  },
];

function whenever(
  condition: (ask: SentAsk, answer: Answer) => boolean,
  change: (answer: Answer) => Answer,
): NonNullable<WorldOptions['distort']> {
  return (ask, answer) => (condition(ask, answer) ? change(answer) : answer);
}
