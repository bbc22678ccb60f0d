import { describeService } from '../runtime/service.ts';
import { describeOutages } from './outages.ts';
import { describeRestarts } from './restarts.ts';
import { describeStorms } from './storms.ts';

describeService('deno', [describeStorms, describeOutages, describeRestarts]);
