import { describeChangeSockets, describeSocketsOfDeno } from '../support/change-sockets.ts';
import { describeLife } from './life.ts';
import { describeLogs } from './logs.ts';
import { describeMap } from './map.ts';
import { describeReading } from './reading.ts';
import { describeService } from './service.ts';
import { describeTracking } from './tracking.ts';
import { describeWebhooks } from './webhooks.ts';

/*
 * The contract tests run on workerd. These parts and those in deno-files.test.ts run every kind of request on Deno at least once.
 * Outages, restarts and storms on Deno are in test/prove/deno.test.ts.
 */

describeService('deno', [
  describeReading,
  describeLife,
  describeTracking,
  describeChangeSockets,
  describeSocketsOfDeno,
  describeLogs,
  describeWebhooks,
  describeMap,
]);
