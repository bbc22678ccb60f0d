import type { Addresses } from '../ports/addresses.ts';
import type { Documents } from '../ports/documents.ts';
import type { Messages } from '../ports/message.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Routing } from '../ports/routing.ts';
import type { Streets } from '../ports/streets.ts';

/* Replacements for providers that a deployment does not have. */

/** Uploads get 503. */
export const noDocuments: Documents = {
  provider: 'none',
  put: () => Promise.resolve('unavailable'),
  read: () => Promise.resolve('unavailable'),
  removeAll: () => Promise.resolve('unavailable'),
};

/** No message can be sent. */
export const noMessages: Messages = { provider: 'none', isDown: () => true, send: () => Promise.resolve(false) };

/** No routing engine. Production answers 503, because a price must never be a guess. */
export const noRouting: Routing = {
  engine: 'none',
  findRoute: () => Promise.resolve({ ok: false, reason: 'unavailable' }),
};

/** A deployment gets a registry by a new configuration, which takes a while. */
const NO_REGISTRY = { kind: 'unavailable', retryAfterSeconds: 3600 } as const;
/** No registry and no geocoder. Production answers 503, because an address must never be a guess. */
export const noAddresses: Addresses = {
  registry: 'none',
  geocoder: 'none',
  isRegistryDown: () => true,
  find: () => Promise.resolve(NO_REGISTRY),
  nearest: () => Promise.resolve(NO_REGISTRY),
  suggest: () => Promise.resolve(undefined),
};

/** A map without any street. */
export const noStreets: Streets = {
  file: undefined,
  find: () => Promise.resolve({ width: 1, height: 1, major: '', minor: '' }),
};

/** No metrics, for a workerd without a dataset. */
export const noMetrics: Metrics = { count() {}, measure() {}, set() {} };
