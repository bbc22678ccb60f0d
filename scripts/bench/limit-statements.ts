import type { Statement } from '../../db/statement.ts';
import { requireCompany } from '../../src/access/require.ts';
import { type Instant, parseInstant } from '../../src/core/instant.ts';
import { parseUuid, type Uuid } from '../../src/core/uuid.ts';
import { clientByClientId } from '../../src/domain/credentials/store.ts';
import { shipmentById, shipmentPage } from '../../src/domain/shipments/store.ts';
import { shipmentByToken, stepsByToken } from '../../src/domain/tracking/reading-store.ts';
import type { Account } from './service.ts';

/** Placeholders in the statements; the limit replaces them in each request. */
const ID_MARK = '00000000-0000-0000-0000-000000000000';
const HASH_MARK = '@hash@';
const CLIENT_MARK = '@client@';
const PAGE = 25;

/**
 * The service's own statements, as libSQL takes them. They read one row more than a page, to know whether there is
 * another page.
 */
export function limitStatements({ companyId, clientId }: Account): Record<string, string> {
  const [company, nobody] = [uuidOf(companyId), uuidOf(ID_MARK)];
  const holder = { clientId, secretId: nobody, tokenId: nobody, scopes: new Set(['shipments:read'] as const) };
  const scope = requireCompany({ kind: 'company', companyId: company, shard: '', ...holder }, 'shipments:read');
  const now = instantOf(new Date().toISOString());
  return {
    GET: bound(shipmentById(scope, nobody)),
    LIST: bound(shipmentPage(scope, {}, undefined, PAGE + 1)),
    TRACK: bound(shipmentByToken(HASH_MARK, now, false)),
    STEPS: bound(stepsByToken(HASH_MARK, now)),
    TOKEN: bound(clientByClientId(CLIENT_MARK, now)),
  };
}

function bound({ sql, args }: Statement): string {
  const cells = args.map((value) =>
    value === null ? { type: 'null' } : { type: typeof value === 'string' ? 'text' : 'integer', value: String(value) },
  );
  return JSON.stringify({ sql, args: cells });
}

function uuidOf(text: string): Uuid {
  const id = parseUuid(text);
  if (id === undefined) throw new Error(`Not a UUID: ${text}`);
  return id;
}

function instantOf(text: string): Instant {
  const instant = parseInstant(text);
  if (instant === undefined) throw new Error(`Not an instant: ${text}`);
  return instant;
}
