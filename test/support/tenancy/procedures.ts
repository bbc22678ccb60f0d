import { appRouter } from '../../../routers/index.ts';
import type { Meta } from '../../../routers/procedure.ts';
import { isRequestParser, type RequestParser } from '../../../routers/request.ts';

/** A procedure as the router has it, whether it is a REST operation too or not. */
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

/** Every procedure there is, read out of the router. */
export const PROCEDURES: readonly Procedure[] = Object.entries(appRouter._def.procedures).map(([name, procedure]) => {
  const { type, meta, inputs } = (procedure as unknown as { readonly _def: Definition })._def;
  const [parser] = inputs;
  if (!isRequestParser(parser)) throw new Error(`${name} takes no request`);
  return { name, type, meta, parser };
});

/** Members that name a thing of somebody's. */
const NAMES_A_THING = /Id$|^after$|^cursor$|^(?:branch|pickupLocation)Code$|^externalReference$/;
/** Made by their caller, who names with them what is not there yet. */
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
