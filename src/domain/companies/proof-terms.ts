import type { AttemptPolicy, ProofPolicy } from '../../contract/proof-state.ts';
import type { Deployment } from '../../core/deployment.ts';
import { parseStored } from '../../core/json.ts';

/** What the company asks for, whatever the shipment requires. */
export interface ProofTerms {
  readonly proofPolicy: ProofPolicy;
  readonly attemptPolicy: AttemptPolicy;
  /** How long a driver waits at the door before a failure. */
  readonly waitSeconds: number;
}

const FREE: ProofTerms = { proofPolicy: 'NONE', attemptPolicy: 'FREE', waitSeconds: 0 };
/** On production, cash and valuable parcels need a PIN, and a driver who found nobody was at the door. */
const CAREFUL: ProofTerms = { proofPolicy: 'VALUABLE', attemptPolicy: 'EVIDENCE', waitSeconds: 0 };

/** What a company asks for: what an operator has set, or else the default. On production nobody asks for less than a PIN for valuable parcels. */
export function proofTermsOf(stored: string | null, deployment: Deployment): ProofTerms {
  const isProduction = deployment === 'production';
  if (stored === null) return isProduction ? CAREFUL : FREE;
  const terms = parseStored<ProofTerms>(stored);
  return isProduction && terms.proofPolicy === 'NONE' ? { ...terms, proofPolicy: 'VALUABLE' } : terms;
}
