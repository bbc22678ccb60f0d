import { changed, EVENT, type PlantedBug, type Rewrite, STANDING, whenever } from './bugs.ts';

const AMENDED = 'update "shipments" set "version"';
const COUNTED = 'update "shipments" set "amendment_count"';

/** Events of the type get another one, which nothing is owed for. */
const untold =
  (type: string): Rewrite =>
  (sql) =>
    sql.startsWith(EVENT) && sql.includes('event.column3')
      ? sql.replace('event.column3', `replace(event.column3, '${type}', 'national_address.checked')`)
      : sql;

/** Bugs of amendments, of what recipients ask for, and of delivery windows. */
export const AMENDMENT_BUGS: readonly PlantedBug[] = [
  {
    bug: 'an amendment loses the end of an offer',
    rules: ['amended'],
    rewrite: changed(AMENDED, 'set "version"', 'set "due_at" = null, "version"'),
  },
  {
    bug: 'an amendment is priced by a later tariff',
    rules: ['anew'],
    // The read of the terms alone: their reader finds the next version.
    rewrite: changed(
      'select "shipment_id", "company_id", "tariff_version"',
      '"tariff_version"',
      '"tariff_version" + 1',
    ),
  },
  {
    bug: 'amendments and cancellations ignore the version, and history ignores duplicates',
    rules: ['version', 'edge', 'event', 'sequence'],
    rewrite: (sql) => {
      if (sql.startsWith(EVENT)) return sql.replace(EVENT, 'insert or ignore into "events"');
      return sql.startsWith(AMENDED)
        ? sql.replace('"shipments"."version" = ?', '? is not null')
        : changed(STANDING, '"shipments"."version" = moved.column3', 'moved.column3 is not null')(sql);
    },
  },
  {
    bug: 'an amendment that came too late is said to be done',
    rules: ['precondition'],
    distort: whenever(
      ({ name }, { status }) => name === 'amend' && status === 412,
      () => ({ status: 200, text: '{}' }),
    ),
  },
  {
    bug: 'the changes of a recipient are applied at once, whatever they cost',
    rules: ['payer'],
    rewrite: changed(
      'select "recipient_amendment_limit"',
      '"recipient_amendment_limit"',
      `coalesce('1000', "recipient_amendment_limit")`,
    ),
  },
  {
    bug: 'a change that waits already changes the address',
    rules: ['decided'],
    rewrite: changed(COUNTED, 'set ', `set "destination" = replace("destination", 'Road', 'Street'), `),
  },
  {
    bug: 'a change that waits is not counted',
    rules: ['counted'],
    rewrite: changed(COUNTED, 'set "amendment_count" = ?', 'set "amendment_count" = ? - 1'),
  },
  {
    bug: 'a decision without its event',
    rules: ['decided'],
    rewrite: untold('shipment.amendment_decided'),
  },
  {
    bug: 'an agreement without its event',
    rules: ['window'],
    rewrite: untold('delivery_window.agreed'),
  },
  {
    bug: 'a recipient refuses a delivery again',
    rules: ['unwanted'],
    rewrite: (sql) => sql.replace('where "recipient_replies"."refused_at" is null', 'where true'),
  },
  {
    bug: 'a page tells the name of the recipient',
    rules: ['recipient'],
    rewrite: (sql) =>
      sql.replace(
        '"tracking_links"."merchant_name", "tracking_links"."locale"',
        '"shipments"."recipient_name", "tracking_links"."locale"',
      ),
  },
  {
    bug: 'a delivery before its window is in time',
    rules: ['window'],
    rewrite: (sql) => sql.replaceAll(` between "shipments"."delivery_window_start" and `, ' <= '),
  },
  {
    bug: 'a delivery decides no window that a driver has agreed to',
    rules: ['window'],
    rewrite: (sql) => sql.replace(`"window_status" = 'AGREED', iif(`, `"window_status" = 'MET', iif(`),
  },
];
