import * as z from 'zod';
import { proxyDatabases } from '../shared/database-proxy.ts';

/** What libSQL servers were asked for, by their own count: rows are those of tables and of indexes. */
export interface Counted {
  readonly requests: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

export interface CountedDatabases {
  /** Those that were given, with addresses behind which everything is counted. */
  readonly variables: Readonly<Record<string, string>>;
  /** Since the start, of all databases together. Throws what went wrong in counting. */
  counted(): Counted;
  close(): void;
}

const stepResult = z.looseObject({ rows_read: z.int(), rows_written: z.int() }).nullable();
const pipelineAnswer = z.looseObject({
  results: z.array(
    z.looseObject({
      response: z.looseObject({ result: z.looseObject({ step_results: z.array(stepResult) }).optional() }).optional(),
    }),
  ),
});

/** Stands before the databases that a service's variables name, and adds up what their answers say they cost. */
export async function countDatabases(variables: Readonly<Record<string, string>>): Promise<CountedDatabases> {
  const total = { requests: 0, rowsRead: 0, rowsWritten: 0 };
  let fault: unknown;
  const after = (answer: string, path: string): void => {
    if (!path.endsWith('/pipeline')) return;
    try {
      count(answer);
    } catch (error) {
      fault ??= error;
    }
  };
  const count = (answer: string): void => {
    total.requests += 1;
    for (const { response } of pipelineAnswer.parse(JSON.parse(answer)).results)
      for (const step of response?.result?.step_results ?? []) {
        total.rowsRead += step?.rows_read ?? 0;
        total.rowsWritten += step?.rows_written ?? 0;
      }
  };
  return {
    ...(await proxyDatabases(variables, () => ({ after }))),
    counted() {
      if (fault !== undefined) throw new Error('An answer of a database is of no known shape', { cause: fault });
      return { ...total };
    },
  };
}
