import { describeService } from './suite.ts';

describeService('worker');
