import { serviceBundle } from '../../scripts/shared/bundle.ts';

/** Bundles the service once, before the workers of Vitest start: they find it in the environment. */
export default async function setup(): Promise<void> {
  await serviceBundle();
}
