import { callTRPCProcedure, initTRPC, TRPCError } from '@trpc/server';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { type Callable, callProcedure } from '../../../src/http/rest/call.ts';

const trpc = initTRPC.context<{ readonly caller: string }>().meta<{ word: string }>().create();

const built = trpc.procedure.meta({ word: 'meta' }).use(async ({ ctx, meta, next }) => {
  const result = await next({ ctx: { caller: ctx.caller.toUpperCase(), company: 'company' } });
  // Records errors of the inner middlewares and may replace them.
  if (!result.ok && result.error.message === 'told otherwise')
    throw new TRPCError({ code: 'CONFLICT', message: meta?.word ?? '' });
  return result;
});
const input = z.object({ name: z.string() });
const procedures = {
  answers: built
    .input(input)
    .output(z.object({ told: z.string().toUpperCase() }))
    .query(({ ctx, input: { name }, path }) => ({ told: [ctx.caller, ctx.company, name, path].join(' ') })),
  doubleInput: built
    .input(input)
    .input(z.object({ more: z.string() }))
    .mutation((options) => options.input),
  readsOnce: built
    .use(({ next }) => next({ getRawInput: () => Promise.resolve({ name: 'another' }) }))
    .input(input)
    .query((options) => options.input),
  wrongOutput: built.output(z.object({ told: z.number() })).query(() => ({ told: 'text' }) as never),
  throwsError: built.query(() => {
    throw new RangeError('out of range');
  }),
  throwsText: built.query(() => {
    const thrown: unknown = 'text';
    throw thrown;
  }),
  toldOtherwise: built.query(() => {
    throw new Error('told otherwise');
  }),
  returnsNothing: built.use(() => undefined as never).query(() => 'never'),
  answersNothing: built.mutation(() => undefined),
  changesInput: trpc.procedure
    .use(({ next }) => next({ input: { name: 'given' } } as never))
    .query((options) => options.input),
  refusesBefore: trpc.procedure
    .use(() => {
      throw new TRPCError({ code: 'UNAUTHORIZED' });
    })
    .input(input)
    .query(() => 'never'),
};
const router = trpc.router(procedures);

describe('calling a procedure has the same outcome as with tRPC', () => {
  /** The outcome of a call: its output, or the error that a caller catches. */
  const outcomeOf = (call: Promise<unknown>) =>
    call.then(
      (output) => ({ output }),
      (error: unknown) => {
        if (!(error instanceof TRPCError)) return { bug: error };
        const { code, message, cause } = error;
        return { code, message, cause: cause?.constructor.name, causeMessage: cause?.message };
      },
    );
  it.each(
    Object.keys(procedures).flatMap((name) =>
      [{ name: 'Noura', more: 'of it' }, { name: 7 }, undefined].map((raw) => [name, raw] as const),
    ),
  )('%s with %j', async (name, raw) => {
    const { _def: definition } = procedures[name as keyof typeof procedures];
    const { type, meta, middlewares } = definition as unknown as Callable;
    const ctx = { caller: 'caller' };
    const newInput = () => vi.fn<() => Promise<unknown>>(() => Promise.resolve(raw));
    const [getTheirs, getOurs] = [newInput(), newInput()];
    const common = { ctx, type, signal: undefined, batchIndex: 0 } as const;
    const told = await outcomeOf(callTRPCProcedure({ router, path: name, getRawInput: getTheirs, ...common }));
    expect(await outcomeOf(callProcedure({ name, type, meta, middlewares }, ctx, getOurs))).toEqual(told);
    expect([getOurs.mock.calls.length, ctx]).toEqual([getTheirs.mock.calls.length, { caller: 'caller' }]);
  });

  it('when its input cannot be read', async () => {
    const { _def: definition } = procedures.answers;
    const { type, meta, middlewares } = definition as unknown as Callable;
    const getRawInput = () => Promise.reject(new RangeError('no input'));
    const call = callProcedure({ name: 'answers', type, meta, middlewares }, { caller: 'caller' }, getRawInput);
    expect(await outcomeOf(call)).toEqual({
      code: 'INTERNAL_SERVER_ERROR',
      message: 'no input',
      cause: 'RangeError',
      causeMessage: 'no input',
    });
  });
});
