import type { ProblemCode } from '../../core/catalogue.ts';
import type { OpenApiDocument } from '../reference/document.ts';
import { groupOperations, type Operation, type OperationGroup } from '../reference/operations.ts';

/** An operation that may answer with a problem, and where it stands in the reference. */
export interface ProblemSource {
  readonly group: OperationGroup;
  readonly operation: Operation;
}

/** The operations whose documented answers have the code. */
export function sourcesOf(document: OpenApiDocument, code: ProblemCode): readonly ProblemSource[] {
  return groupOperations(document).flatMap((group) =>
    group.operations
      .filter((operation) => operation.responses.some(({ codes }) => codes.includes(code)))
      .map((operation) => ({ group, operation })),
  );
}

const SHIPMENTS = '/v2/external/shipments';
const SAMPLE_ID = '01976e2a-7c10-7f4e-8b21-6d90c3a5e842';

/** A path that a problem may be answered at: that of a shipment, where it can be. */
export function instanceOf(document: OpenApiDocument, code: ProblemCode): string {
  const paths = sourcesOf(document, code).map(({ operation }) => operation.path);
  const path = paths.find((one) => one.startsWith(SHIPMENTS)) ?? paths[0] ?? SHIPMENTS;
  return path.replace(/\{\w+\}/g, SAMPLE_ID);
}
