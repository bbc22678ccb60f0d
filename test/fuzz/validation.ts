import { newKey } from '../../scripts/shared/shipments.ts';
import { parsePlainJson } from '../../src/core/json.ts';
import { describedAs } from './document.ts';
import { type RequestDraft, setHeader } from './request-draft.ts';
import { REQUEST_FAULTS } from './spoil-request.ts';

/* What a validation says must be what a creation with the same body is answered. */

const CREATION = describedAs('shipments.create');
/** A problem lists as many violations at most. */
const VIOLATIONS_MAX = 20;
/** The rules that a creation looks at only when no rule of the schema is broken. */
const LATER_RULES = [
  ...['BRANCH_UNKNOWN', 'PICKUP_LOCATION_UNKNOWN', 'PICKUP_LOCATION_NOT_IN_BRANCH', 'CURRENCY_NOT_SUPPORTED'],
  ...['SCALE_EXCEEDED', 'COD_METHOD_REQUIRED', 'WINDOW_ORDER_INVALID', 'WINDOW_IN_PAST', 'DESTINATION_NOT_SERVICEABLE'],
];

/** How a validation and the creation after it compare. `changed`: another request has changed the answer in between. */
export type Comparison = 'valid' | 'not valid' | 'changed';

/** The creation with the body of a validation. Undefined for another request, or one with faults outside of its body. */
export function creationOf(draft: RequestDraft): RequestDraft | undefined {
  const isSpoilt = draft.isCut || draft.spoilt.some((fault) => REQUEST_FAULTS.includes(fault));
  if (draft.operation.name !== 'shipmentValidations.create' || isSpoilt) return undefined;
  const creation = { ...draft, operation: CREATION, segments: CREATION.path.slice(1).split('/') };
  setHeader(creation, 'Idempotency-Key', newKey());
  return creation;
}

interface Said {
  readonly status: number;
  readonly code: string;
  readonly isValid: boolean;
  readonly violations: readonly string[];
  readonly violationCodes: readonly string[];
  readonly problems: readonly string[];
  /** The shipment that has the reference. */
  readonly existing: string | undefined;
}

/** Compares a creation with the validations before and after it. */
export async function compare(
  before: Response,
  creation: Response,
  after: Response,
): Promise<Comparison | readonly string[]> {
  const [validation, created, again] = [await read(before), await read(creation), await read(after)];
  const faults = faultsOf(validation, created);
  if (faults.length === 0) return validation.isValid ? 'valid' : 'not valid';
  // Its own shipment does not count.
  const isOwn = created.status === 201 && again.existing === created.shipmentId;
  const now = isOwn ? { ...again, existing: undefined, isValid: hasNothing(again) } : again;
  const isSame = JSON.stringify({ ...now, isValid: null }) === JSON.stringify({ ...validation, isValid: null });
  return !isSame && faultsOf(now, created).length === 0 ? 'changed' : faults;
}

function hasNothing({ status, violations, problems }: Said): boolean {
  return status === 200 && violations.length === 0 && problems.length === 0;
}

function faultsOf(validation: Said, created: Said): string[] {
  const { status, code, violations, problems, existing } = validation;
  // A provider or a database that does not answer.
  if (status >= 500 || created.status >= 500) return [];
  const told = `${created.status} ${created.code} ${created.violations.join()}`;
  if (status !== 200) {
    const isSame = created.status === status && created.code === code && isEqual(created.violations, violations);
    return isSame ? [] : [`refused with ${code}, and the creation is ${told}`];
  }
  if (validation.isValid) return created.status === 201 ? [] : [`said to be valid, and the creation is ${told}`];
  if (created.status < 400) return [`said to be not valid, and the creation is ${told}`];
  if (violations.length > 0) return violationFaults(validation, created);
  const isNamed = problems.includes(created.code) || (existing !== undefined && created.existing === existing);
  return isNamed ? [] : [`said to have ${[...problems, existing].join()}, and the creation is ${told}`];
}

function violationFaults({ violations, violationCodes }: Said, created: Said): string[] {
  if (created.code !== 'VALIDATION_FAILED') return [`said to have violations, and the creation is ${created.code}`];
  const unsaid = created.violations.filter((one) => !violations.includes(one));
  const isCut = created.violations.length === VIOLATIONS_MAX;
  const invented = violations.filter(
    (one, index) => !isCut && !created.violations.includes(one) && !LATER_RULES.includes(String(violationCodes[index])),
  );
  return [
    ...unsaid.map((one) => `the creation has the violation ${one}, which the validation does not have`),
    ...invented.map((one) => `the validation has the violation ${one}, which the creation does not have`),
  ];
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.join() === other.join();
}

async function read(answer: Response): Promise<Said & { readonly shipmentId: string | undefined }> {
  const body = Object(parsePlainJson(await answer.clone().text())) as Record<string, unknown>;
  const violations = Array.isArray(body['violations']) ? body['violations'] : [];
  const conflict = Object(body['existing'] ?? Reflect.get(Object(body['conflicts']), 'externalReference'));
  return {
    status: answer.status,
    code: textOf(body['code']) ?? '',
    isValid: body['valid'] === true,
    violations: violations.map((one) => JSON.stringify(one)),
    violationCodes: violations.map((one) => String(Reflect.get(Object(one), 'code'))),
    problems: Array.isArray(body['problems']) ? body['problems'].map(String) : [],
    existing: textOf(conflict['shipmentId']),
    shipmentId: textOf(body['shipmentId']),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
