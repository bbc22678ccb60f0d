import { causeOf } from '../core/error-cause.ts';
import { BadAnswer } from './bad-answer.ts';

/**
 * Members of an answer with the code of an error: OSRM's `code`, Unifonic's `errorCode`, Resend's `name` and S3's `<Code>`. The value
 * is a word, at most with digits at its end, so it is neither a phone number nor an address.
 */
const CODE = /(?:"(?:code|errorCode|name)"\s*:\s*"|<Code>)([a-z][a-z_-]{0,60}\d{0,4})(?:"|<\/Code>)/i;

/** The cause of a failed call for the log. Texts of an answer are left out, because they can repeat what was sent. */
export function faultText(fault: unknown): string {
  if (fault === undefined) return 'the answer is not usable';
  if (!(fault instanceof BadAnswer)) return causeOf(fault);
  const code = CODE.exec(fault.text)?.[1];
  return code === undefined ? fault.message : `${fault.message} ${code}`;
}
