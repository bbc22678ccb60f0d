import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { KnownRecipient } from '../../contract/recipient.ts';
import type { Location } from '../../contract/shipment.ts';
import { parseStored } from '../../core/json.ts';
import { toE164 } from '../../core/phone.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import { foldedOf } from '../../core/typed/folded.ts';
import type { Clock } from '../../ports/clock.ts';
import { knownPhonesOf, type LimitSettings, refusalOf, useStatements } from '../challenges/limit.ts';
import { settle } from '../settle.ts';
import { recipientsWithPhone } from './known-store.ts';

interface KnownDependencies {
  readonly config: Pick<LimitSettings, 'credentialKey'>;
  readonly directory: { readonly database: Database; readonly writer: Writer };
  /** Of the deployment. */
  readonly clock: Clock;
  /** The company's shard. */
  readonly database: Database;
}

/** A form offers no more. */
const OFFERED_MAX = 3;

/**
 * The recipients of the company's newest shipments with this Saudi mobile, the newest first, each name and address once. It leaves out
 * recipients whose data was deleted, because their shipments no longer have a phone, and those of cancelled shipments. 429 after too many
 * phones in a day.
 */
export async function findKnownRecipients(
  { config, directory, clock, database }: KnownDependencies,
  scope: CompanyScope,
  mobile: string,
): Promise<Result<KnownRecipient[]>> {
  const now = clock.now();
  const limits = await knownPhonesOf(config, scope.companyId, scope.clientId);
  const counted = settle(await directory.writer.commit({ statements: useStatements(limits, now) }));
  if (!counted.ok) return counted;
  if (!counted.value) return refusalOf(directory.database, limits, now);
  const found = await database.read(recipientsWithPhone(scope, toE164(mobile)));
  if (!found.ok) return unavailable();
  const known = new Map<string, KnownRecipient>();
  for (const { name, destination: stored } of found.rows) {
    const destination = parseStored<Location>(stored);
    const key = `${foldedOf(name)} ${destination.cityCode} ${foldedOf(destination.addressLine)}`;
    if (!known.has(key)) known.set(key, { name, destination });
  }
  return ok([...known.values()].slice(0, OFFERED_MAX));
}
