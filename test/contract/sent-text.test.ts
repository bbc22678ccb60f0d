import { describeSentText } from '../support/sent-text.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();

describeSentText(() => environment);
