import { appRouter } from '../../../routers/index.ts';
import type { Meta } from '../../../routers/procedure.ts';
import { isRequestParser, type RequestParser } from '../../../routers/request.ts';

/** A procedure of the router, with or without a REST operation. */
export interface Procedure {
  readonly name: string;
  readonly type: 'query' | 'mutation';
  readonly meta: Meta;
  readonly parser: RequestParser;
}

interface Definition {
  readonly type: 'query' | 'mutation';
  readonly meta: Meta;
  readonly inputs: readonly unknown[];
}

/** Every procedure of the router. */
export const PROCEDURES: readonly Procedure[] = Object.entries(appRouter._def.procedures).map(([name, procedure]) => {
  const { type, meta, inputs } = (procedure as unknown as { readonly _def: Definition })._def;
  const [parser] = inputs;
  if (!isRequestParser(parser)) throw new Error(`${name} takes no request`);
  return { name, type, meta, parser };
});

/** Members that identify a resource. */
const NAMES_A_THING = /Id$|^after$|^cursor$|^(?:branch|pickupLocation)Code$|^externalReference$/;
/** Identifiers of resources that the call creates. */
const MAKES_A_THING = [
  'branches.create branchCode',
  'pickupLocations.create pickupLocationCode',
  'shipments.create externalReference',
  'mediaAssets.create externalReference',
];

export function idsOf({ name, parser }: Procedure): string[] {
  return [...parser.places.keys()].filter(
    (member) => NAMES_A_THING.test(member) && !MAKES_A_THING.includes(`${name} ${member}`),
  );
}
