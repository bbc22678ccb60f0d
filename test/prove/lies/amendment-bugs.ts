import { changed, EVENT, type PlantedBug, STANDING, whenever } from './bugs.ts';

const AMENDED = 'update "shipments" set "version"';

/** Bugs of amendments. */
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
];
