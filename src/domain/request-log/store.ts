import { and, desc, eq, gte, lt, lte } from 'drizzle-orm';
import { requestLog } from '../../../db/logs/schema/request-log.ts';
import { compilePastRows } from '../../../db/past-rows.ts';
import { placeholder, placesOf, queries, read, writeRow } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';

/* The SQL of the request log, in a database of its own. */

const insertRow = writeRow(queries.insert(requestLog).values(placesOf(requestLog)));
export type LogRow = typeof requestLog.$inferInsert;
/** One row of the log. */
export function rowInsert(row: LogRow) {
  return insertRow(row);
}

const { lastAt, entries } = requestLog;
const isOfCompany = and(
  eq(requestLog.companyId, placeholder('companyId')),
  eq(requestLog.isFailure, placeholder('isFailure')),
);

const selectRows = read({ lastAt, entries }, (columns) =>
  queries
    .select(columns)
    .from(requestLog)
    .where(
      and(
        isOfCompany,
        gte(requestLog.lastAt, placeholder('from')),
        lt(requestLog.lastAt, placeholder('before')),
        lte(requestLog.firstAt, placeholder('to')),
      ),
    )
    .orderBy(desc(requestLog.lastAt))
    .limit(placeholder('limit')),
);

/** Which rows are read: requests began from `from` to `to` in some of their entries, and the last one before `before`. */
export interface RowRange {
  readonly isFailure: 0 | 1;
  readonly from: Instant;
  readonly to: Instant;
  readonly before: Instant;
  readonly limit: number;
}
export type FoundRow = ReturnType<ReturnType<typeof rowsOf>['decode']>;
/** Rows of the company, newest first. */
export function rowsOf(scope: CompanyScope, range: RowRange) {
  return selectRows({ companyId: scope.companyId, ...range });
}

const expired = compilePastRows<{ now: Instant }>(requestLog, lt(requestLog.expiresAt, placeholder('now')));
/** Rows that were kept long enough. */
export function expiredRows(now: Instant) {
  return expired({ now });
}
