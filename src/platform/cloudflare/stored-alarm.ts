import type { DurableObjectStorage } from '@cloudflare/workers-types';
import type { Alarm } from '../../ports/alarm.ts';

/**
 * The alarm of a Durable Object. It stores the object's name with the first alarm, because an alarm that starts the
 * object again does not say it.
 */
export function storedAlarm(storage: DurableObjectStorage, key: string, name: unknown): Alarm {
  let hasStoredName = false;
  return {
    async set(atMs) {
      if (!hasStoredName) await storage.put(key, name, { allowUnconfirmed: true });
      hasStoredName = true;
      await storage.setAlarm(atMs, { allowUnconfirmed: true });
    },
  };
}
