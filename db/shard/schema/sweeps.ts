import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant } from '../../columns.ts';

/** How far a task of the sweep has come, so that it does not look again through rows that it has done. */
export const sweepMarks = sqliteTable('sweep_marks', {
  task: text().primaryKey(),
  /** Rows from before this instant are done. */
  doneBefore: instant('done_before').notNull(),
});
