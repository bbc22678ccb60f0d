import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { RecipientSettings } from '../../contract/recipient.ts';
import { literalDecimal } from '../../core/decimal.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { auditOf, commitChange } from '../audit/change.ts';
import { recipientLimitOf, recipientLimitUpsert } from './reply-store.ts';

/** A company that has set nothing pays for no change of a recipient without a decision. */
const DEFAULT_LIMIT = literalDecimal('0');

export async function readRecipientSettings(
  database: Database,
  scope: CompanyScope,
): Promise<Result<RecipientSettings>> {
  const found = await database.read(recipientLimitOf(scope));
  return found.ok ? ok({ amendmentLimit: found.rows[0]?.limit ?? DEFAULT_LIMIT }) : unavailable();
}

export async function setRecipientSettings(
  dependencies: {
    /** The company's shard. */
    readonly database: Database;
    readonly writer: Writer;
    readonly clock: CompanyClock;
    readonly random: Random;
  },
  scope: CompanyScope,
  settings: RecipientSettings,
): Promise<Result<RecipientSettings>> {
  const { amendmentLimit } = settings;
  const made = await commitChange(dependencies, {
    unit: { statements: [recipientLimitUpsert(scope, amendmentLimit)] },
    audit: auditOf(dependencies, scope, {
      action: 'company.recipient_amendment_limit_set',
      subject: scope.companyId,
      at: dependencies.clock.now(),
      detail: { amendmentLimit },
    }),
  });
  if (!made.ok) return made;
  return made.value ? ok(settings) : unavailable();
}
