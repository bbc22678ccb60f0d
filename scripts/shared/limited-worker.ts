import { AsyncLocalStorage } from 'node:async_hooks';
import worker, { DatabaseWriter, EndpointQueue, ShipmentLane } from '../../src/worker.ts';

/*
 * The entry of a Worker that has Cloudflare's limit of connections, which workerd and Miniflare do not enforce
 * (cloudflare/workers-sdk issue 13609): `service.ts` puts it before the bundle. A request, or a Durable Object for all its calls
 * together, waits for the response headers of at most six outgoing requests. Further ones queue. Uses of a bucket count on
 * Cloudflare, but not here.
 */
const CONNECTIONS_MAX = 6;

class Connections {
  #free = CONNECTIONS_MAX;
  readonly #queue: (() => void)[] = [];

  /** As `fetch`, which also ends a request that is still in the queue when its signal aborts. */
  fetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const signal = init?.signal;
    signal?.addEventListener('abort', () => reject(signal.reason));
    return Promise.race([this.#send(input, init), aborted]);
  }

  async #send(...request: Parameters<typeof fetch>): Promise<Response> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      return await send(...request);
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

/** The connections of the current request or object. */
const current = new AsyncLocalStorage<Connections>();
const send = globalThis.fetch.bind(globalThis);
globalThis.fetch = (...request) => current.getStore()?.fetch(...request) ?? send(...request);

/** Gives each object of a class its connections, whatever calls it. */
function limit({ prototype }: { readonly prototype: object }): void {
  const connections = new WeakMap<object, Connections>();
  const ofObject = (object: object): Connections => {
    const own = connections.get(object) ?? new Connections();
    connections.set(object, own);
    return own;
  };
  for (const [name, { value: method }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (typeof method !== 'function' || name === 'constructor') continue;
    const limited = function (this: object, ...args: unknown[]): unknown {
      return current.run(ofObject(this), () => Reflect.apply(method, this, args));
    };
    Reflect.set(prototype, name, limited);
  }
}
for (const objects of [DatabaseWriter, EndpointQueue, ShipmentLane]) limit(objects);

export { DatabaseWriter, EndpointQueue, ShipmentLane };

export default {
  fetch: (...args: Parameters<typeof worker.fetch>) => current.run(new Connections(), () => worker.fetch(...args)),
  scheduled: (...args: Parameters<typeof worker.scheduled>) =>
    current.run(new Connections(), () => worker.scheduled(...args)),
};
