import type { DurableObjectStorage } from '@cloudflare/workers-types';
import type { Alarm } from '../../ports/alarm.ts';

type AlarmStorage = Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm'> & {
  put(key: string, value: unknown, options: { allowUnconfirmed: boolean }): Promise<void>;
};

/**
 * The alarm of a Durable Object. It stores the object's name with the first alarm, because an alarm that starts the
 * object again does not say it.
 */
export function storedAlarm(storage: AlarmStorage, key: string, name: unknown): Alarm {
  let hasStoredName = false;
  return {
    async set(atMs) {
      if (!hasStoredName) await storage.put(key, name, { allowUnconfirmed: true });
      hasStoredName = true;
      // An object that was evicted has lost the time that it had set. The storage has not.
      const storedMs = await storage.getAlarm();
      if (storedMs !== null && storedMs <= atMs) return;
      await storage.setAlarm(atMs, { allowUnconfirmed: true });
    },
  };
}
