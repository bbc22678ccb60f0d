import { describeAttacks } from '../support/attacks.ts';
import { describeSentText } from '../support/sent-text.ts';
import { describeMedia } from './media.ts';
import { describePlanted } from './planted.ts';
import { describeService } from './service.ts';

/* What people and attackers send, on Deno: pictures, personal data, hostile requests and texts as they are typed. */

describeService('deno', [describeMedia, describePlanted, describeAttacks, describeSentText]);
