import { TEXTS } from '../text.ts';

/** Programs that verify a webhook's signature. A test runs each one whose language is installed. */
export const VERIFICATION_PROGRAMS = [
  { language: 'TypeScript', file: 'verify.ts' },
  { language: 'Python', file: 'verify.py' },
  { language: 'PHP', file: 'verify.php' },
  { language: 'Go', file: 'verify.go' },
  { language: 'C#', file: 'Webhook.cs' },
] as const;

type VerificationProgram = (typeof VERIFICATION_PROGRAMS)[number];

export function verificationPath({ file }: VerificationProgram): string {
  return `${TEXTS}/verification/${file}`;
}
