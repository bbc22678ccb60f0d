/* Triggers that tell the simulation of a changed row, inside the transaction that changes it. */

/** The statement that reports a change: its kind and values. */
export const note = (kind: string, ...values: string[]) => `select note('${kind}', ${values.join(', ')})`;

export const trigger = (name: string, event: string, ...statements: string[]) =>
  `create temp trigger watch_${name} after ${event} begin ${statements.map((statement) => `${statement};`).join(' ')} end;`;
