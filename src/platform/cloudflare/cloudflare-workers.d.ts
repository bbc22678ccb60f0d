// The one class of the runtime's own module that is used here. The package's ambient types would bring the globals of
// Cloudflare into every file.
/** Workers import a compiled module. */
declare module 'harfbuzzjs/dist/harfbuzz.wasm' {
  const module: WebAssembly.Module;
  export default module;
}

declare module 'cloudflare:workers' {
  import type { DurableObjectState, Tracing } from '@cloudflare/workers-types';

  export abstract class DurableObject<Env> {
    protected readonly ctx: DurableObjectState;
    protected readonly env: Env;
    constructor(ctx: DurableObjectState, env: Env);
  }

  export const env: Readonly<Record<string, unknown>>;
  export const tracing: Tracing;
}
