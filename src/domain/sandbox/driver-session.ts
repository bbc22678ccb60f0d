import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import { toE164 } from '../../core/phone.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import { type CodeDependencies, type DriverChallenge, makeSandboxDriverCode } from '../drivers/session.ts';
import { sandboxDriver } from './store.ts';

/**
 * A code for the company's own sandbox driver. It is in the answer and is not sent. Every other phone is refused, whether
 * it is known or not.
 */
export async function startSandboxDriverSession(
  dependencies: CodeDependencies & {
    readonly database: Database;
  },
  scope: CompanyScope,
  { phone, address }: { readonly phone: string; readonly address: string | null },
): Promise<Result<DriverChallenge & { readonly sandboxOtp: string }>> {
  const found = await dependencies.database.read(sandboxDriver(scope));
  if (!found.ok) return unavailable();
  const [driver] = found.rows;
  if (driver === undefined) return refuse('SANDBOX_NOT_READY');
  if (driver.phone !== toE164(phone)) return refuse('ACCESS_DENIED');
  const order = { phone: driver.phone, companyId: scope.companyId, address };
  const made = await makeSandboxDriverCode(dependencies, order);
  if (!made.ok) return made;
  const { code, ...challenge } = made.value;
  return ok({ ...challenge, sandboxOtp: code });
}
