import * as z from 'zod';
import { MEMBER } from '../src/access/require.ts';
import { mapBounds, streetPaths } from '../src/contract/streets.ts';
import { personProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

/** Streets for drawings in the console. Only over tRPC: programs have maps of their own. */
export const streets = router({
  /** `paths` is null while they are being read, and if they cannot be read. */
  read: personProcedure('reads', MEMBER)
    .input(request({ query: { bounds: mapBounds } }))
    .output(answer(z.strictObject({ paths: z.nullable(streetPaths) })))
    .query(async ({ ctx, input: { bounds } }) => ({
      paths: (await ctx.services.streets.find(bounds, ctx.later)) ?? null,
    })),
});
