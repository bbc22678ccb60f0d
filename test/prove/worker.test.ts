import { describeLogs } from '../runtime/logs.ts';
import { describeMedia } from '../runtime/media.ts';
import { describePlanted } from '../runtime/planted.ts';
import { describeService } from '../runtime/service.ts';
import { describeWebhooks } from '../runtime/webhooks.ts';
import { describeOutages } from './outages.ts';
import { describeRestarts } from './restarts.ts';
import { describeStorms } from './storms.ts';

/* Outages come last, because they restart the service, whose log starts again. */

describeService('worker', [
  describeStorms,
  describeLogs,
  describeWebhooks,
  describeMedia,
  describePlanted,
  describeOutages,
  describeRestarts,
]);
