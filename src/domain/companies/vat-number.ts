import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { auditOf, commitChange } from '../audit/change.ts';
import { vatNumberUpdate } from './store.ts';

interface VatNumberDependencies {
  readonly directory: { readonly database: Database; readonly writer: Writer };
  readonly clock: Clock;
  readonly random: Random;
}

/** Sets the VAT number that the statements of a company show; null removes it. If the outcome is unknown, the caller may repeat the call. */
export async function setVatNumber(
  dependencies: VatNumberDependencies,
  scope: CompanyScope,
  vatNumber: string | null,
): Promise<Result<{ readonly vatNumber: string | null }>> {
  const { directory, clock } = dependencies;
  const entry = { action: 'company.vat_number_set', subject: scope.companyId, at: clock.now(), detail: { vatNumber } };
  const made = await commitChange(directory, {
    unit: { statements: [vatNumberUpdate(scope, vatNumber)] },
    audit: auditOf(dependencies, scope, entry),
  });
  if (!made.ok) return made;
  return made.value ? ok({ vatNumber }) : refuse('RESOURCE_NOT_FOUND');
}
