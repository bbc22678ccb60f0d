import { getTRPCErrorFromUnknown } from '@trpc/server';

/** The arguments of a procedure. Each middleware can change them for the next one. */
interface Call {
  readonly ctx: object;
  readonly input: unknown;
  readonly getRawInput: () => Promise<unknown>;
  readonly meta: unknown;
  readonly path: string;
  readonly type: 'query' | 'mutation';
  readonly signal: undefined;
  readonly batchIndex: 0;
}

type Outcome = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly error: Error };

/** A middleware of a procedure. The last one is its resolver. */
export type Middleware = (
  call: Call & { readonly next: (change?: Partial<Call>) => Promise<Outcome> },
) => Promise<Outcome>;

export interface Callable {
  /** Path of the procedure in the router, for example `shipments.create`. */
  readonly name: string;
  readonly type: 'query' | 'mutation';
  readonly meta: unknown;
  readonly middlewares: readonly Middleware[];
}

/**
 * Calls a procedure like `callTRPCProcedure` and rejects with the same errors. That function copies all members of call
 * and context about thirty times in a request, which took a tenth of the time of a GET.
 */
export async function callProcedure(
  { name, type, meta, middlewares }: Callable,
  ctx: object,
  getRawInput: () => Promise<unknown>,
): Promise<unknown> {
  const call = {
    ctx,
    input: undefined,
    getRawInput,
    meta,
    path: name,
    type,
    signal: undefined,
    batchIndex: 0,
  } as const;
  const outcome = await run(middlewares, 0, call);
  if (!outcome.ok) throw outcome.error;
  return outcome.data;
}

async function run(middlewares: readonly Middleware[], index: number, call: Call): Promise<Outcome> {
  try {
    const middleware = middlewares[index];
    if (middleware === undefined) throw new Error('The last middleware of a procedure asks for the next');
    return await middleware({ ...call, next: (change) => run(middlewares, index + 1, changed(call, change)) });
  } catch (cause) {
    return { ok: false, error: getTRPCErrorFromUnknown(cause) };
  }
}

function changed(call: Call, change: Partial<Call> | undefined): Call {
  if (change === undefined) return call;
  return {
    ...call,
    ctx: change.ctx === undefined ? call.ctx : { ...call.ctx, ...change.ctx },
    input: 'input' in change ? change.input : call.input,
    getRawInput: change.getRawInput ?? call.getRawInput,
  };
}
