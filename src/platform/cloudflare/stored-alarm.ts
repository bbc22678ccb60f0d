import type { DurableObjectStorage } from '@cloudflare/workers-types';
import { toMillis } from '../../core/instant.ts';
import { ALARM_LATE_MS_MAX, type Alarm } from '../../ports/alarm.ts';
import type { Clock } from '../../ports/clock.ts';

type AlarmStorage = Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm'> & {
  put(key: string, value: unknown, options: { allowUnconfirmed: boolean }): Promise<void>;
};

/**
 * The alarm of a Durable Object. It stores the object's name with the first alarm, because an alarm that starts the
 * object again does not say it.
 */
export function storedAlarm(storage: AlarmStorage, clock: Clock, [key, name]: readonly [string, unknown]): Alarm {
  let hasStoredName = false;
  return {
    async set(atMs) {
      if (!hasStoredName) await storage.put(key, name, { allowUnconfirmed: true });
      hasStoredName = true;
      // An object that was evicted has lost the time that it had set. The storage has not.
      const storedMs = await storage.getAlarm();
      const isLate = storedMs !== null && toMillis(clock.now()) - storedMs > ALARM_LATE_MS_MAX;
      if (storedMs !== null && storedMs <= atMs && !isLate) return;
      await storage.setAlarm(atMs, { allowUnconfirmed: true });
    },
  };
}
