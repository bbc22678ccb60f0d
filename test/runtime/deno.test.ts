import { describeService } from './suite.ts';

describeService('deno');
