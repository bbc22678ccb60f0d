import type { CompanyScope } from '../../access/require.ts';
import type { Branch, BranchChanges, BranchRequest } from '../../contract/place.ts';
import type { PlaceStatus } from '../../contract/shipment-state.ts';
import type { Precondition } from '../../core/precondition.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import { auditOf, commitChange } from '../audit/change.ts';
import { changePlace, type PlaceDependencies } from './change.ts';
import { branchInsert, branchUpdate } from './change-store.ts';
import { presentBranch } from './read.ts';
import { type BranchRow, branchByCode } from './store.ts';

/** Far more than a company has in the country; lists and counts read them row by row. */
const BRANCHES_MAX = 200;

/** Opens a branch. Its code can never be reused, because branches are deactivated and never deleted. */
export async function createBranch(
  dependencies: PlaceDependencies,
  scope: CompanyScope,
  { branchCode, nameAr, ...terms }: BranchRequest,
): Promise<Result<Branch>> {
  const at = dependencies.clock.now();
  const row: BranchRow = {
    companyId: scope.companyId,
    branchCode,
    ...terms,
    nameAr: nameAr ?? null,
    status: 'ACTIVE',
    createdAt: at,
    updatedAt: at,
    version: 0,
  };
  const made = await commitChange(dependencies, {
    unit: { statements: [branchInsert(scope, row, BRANCHES_MAX)] },
    audit: auditOf(dependencies, scope, { action: 'branch.created', subject: branchCode, at, detail: { version: 0 } }),
  });
  if (!made.ok) return made;
  if (made.value) return ok(presentBranch(row));
  const found = await dependencies.database.read(branchByCode(scope, branchCode));
  if (!found.ok) return unavailable();
  const code = found.rows.length > 0 ? 'DUPLICATE_ITEM' : 'TOO_MANY_ITEMS';
  const limit = String(BRANCHES_MAX);
  return refuse('VALIDATION_FAILED', { violations: [{ field: 'branchCode', code, limit }] });
}

/** The branch, its expected version, and the actor. */
export interface BranchOrder {
  readonly branchCode: string;
  readonly precondition: Precondition;
}

/** Changes the name and the address of a branch. */
export function updateBranch(
  dependencies: PlaceDependencies,
  scope: CompanyScope,
  { changes, ...order }: BranchOrder & { readonly changes: BranchChanges },
): Promise<Result<Branch>> {
  return changeBranch(dependencies, scope, { ...order, action: 'branch.updated', changes: given(changes) });
}

/** An inactive branch takes no new shipments; its existing ones continue. */
export function setBranchStatus(
  dependencies: PlaceDependencies,
  scope: CompanyScope,
  { status, ...order }: BranchOrder & { readonly status: PlaceStatus },
): Promise<Result<Branch>> {
  const action = status === 'ACTIVE' ? 'branch.activated' : 'branch.deactivated';
  return changeBranch(dependencies, scope, { ...order, action, changes: { status } });
}

async function changeBranch(
  dependencies: PlaceDependencies,
  scope: CompanyScope,
  { branchCode, ...order }: BranchOrder & { readonly action: string; readonly changes: Partial<BranchRow> },
): Promise<Result<Branch>> {
  const changed = await changePlace(dependencies, scope, {
    ...order,
    subject: branchCode,
    find: branchByCode(scope, branchCode),
    update: (row: BranchRow) => branchUpdate(scope, row),
  });
  return changed.ok ? ok(presentBranch(changed.value)) : changed;
}

function given({ name, nameAr, cityCode }: BranchChanges): Partial<BranchRow> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(nameAr === undefined ? {} : { nameAr }),
    ...(cityCode === undefined ? {} : { cityCode }),
  };
}
