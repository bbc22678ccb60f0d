import { failureOf } from './failure.ts';

/** What the service may want to be shown again before it does something. */
export type Proof = 'session' | 'assurance';
/** Asks the person for it; false when he would rather not. */
type AskProof = (proof: Proof) => Promise<boolean>;

const PROOFS: Readonly<Record<string, Proof>> = {
  AUTHENTICATION_REQUIRED: 'session',
  ASSURANCE_REQUIRED: 'assurance',
  REAUTHENTICATION_REQUIRED: 'assurance',
};
/** A session that is gone and then a second factor that is asked for: more there cannot be. */
const PROOFS_MAX = 2;

let askProof: AskProof = () => Promise.resolve(false);
let asking: Promise<boolean> | undefined;

/** Says who asks. There is one such place on the page. */
export function setAskProof(ask: AskProof): void {
  askProof = ask;
}

/**
 * Does something at the service. Where the session has ended, or the second factor is asked for, the person is asked
 * for it on the spot and the action is done again: nothing typed is lost. Rejects with what the action rejected with.
 */
export async function perform<Result>(action: () => Promise<Result>): Promise<Result> {
  for (let proofs = 0; ; proofs += 1) {
    try {
      return await action();
    } catch (error) {
      const proof = PROOFS[failureOf(error).code];
      if (proof === undefined || proofs >= PROOFS_MAX || !(await askOnce(proof))) throw error;
    }
  }
}

/** A page asks for several things at once: whoever is refused meanwhile waits for the answer to the same question. */
function askOnce(proof: Proof): Promise<boolean> {
  asking ??= askProof(proof).finally(() => {
    asking = undefined;
  });
  return asking;
}
