import { v7 } from 'uuid';
import * as z from 'zod';
import { nowMicros } from '../../scripts/shared/companies.ts';
import type { Environment } from '../../scripts/shared/connection.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import type { ShardId } from '../../scripts/shared/sql.ts';

export const CREDENTIAL = '/v2/merchant-api-credential';

/** A person with a session, of a company without any data. */
export interface TestOwner {
  readonly companyId: string;
  readonly shard: ShardId;
  readonly personId: string;
  readonly token: string;
  send(method: string, path: string, body?: unknown): Promise<Response>;
  /** The company's audit entries, oldest first. */
  audited(): Promise<unknown[]>;
}

/** The owner of a new company, with the second factor proved. */
export async function newOwner(environment: Environment, shard: ShardId = 'shard-1'): Promise<TestOwner> {
  const companyId = v7();
  const insert = "insert into companies (id, name, shard, created_at) values (?, 'Asir Honey', ?, ?)";
  await environment.sql('directory', insert, [companyId, shard, nowMicros()]);
  const { personId } = await addPerson(environment, { companyId });
  const token = await addSession(environment, { personId }, { assurance: 'AAL2' });
  return {
    companyId,
    shard,
    personId,
    token,
    send: (method, path, body) =>
      environment.fetch(path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async audited() {
      const select = 'select action from audit_entries where company_id = ? order by at';
      return (await environment.sql('directory', select, [companyId])).map(({ action }) => action);
    },
  };
}

const issued = z.looseObject({
  credentialId: z.uuid(),
  clientId: z.string(),
  clientSecret: z.string(),
  secretHint: z.string(),
});

export async function readIssued(response: Response): Promise<z.output<typeof issued>> {
  return issued.parse(await response.json());
}
