import type { Resolver } from '../../ports/webhook.ts';

/** The part of Deno that this adapter uses. */
declare const Deno: {
  resolveDns(name: string, type: 'A' | 'AAAA', options: { signal: AbortSignal }): Promise<string[]>;
};

/** Asks the resolver that the machine is set up with. */
export const denoResolver: Resolver = {
  async resolve(host, timeoutMs) {
    const signal = AbortSignal.timeout(timeoutMs);
    const ask = async (type: 'A' | 'AAAA') => {
      try {
        return await Deno.resolveDns(host, type, { signal });
      } catch {
        // No such name, no address of this kind, or no answer in time.
        return [];
      }
    };
    return (await Promise.all([ask('A'), ask('AAAA')])).flat();
  },
};
