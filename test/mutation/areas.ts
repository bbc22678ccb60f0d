/**
 * The files that decide, by what they decide. A mutant in any of them changes a promise of the interface; a list, a
 * page or a text that is wrong elsewhere is for other tests. An area is named in docs/decisions/0102-mutation-testing.md.
 */
export const AREAS: Readonly<Record<string, readonly string[]>> = {
  // The table and its decision, the unit of SQL that follows, If-Match, and what a transition means for dispatch.
  lifecycle: [
    'src/domain/shipments/lifecycle.ts',
    'src/domain/shipments/command.ts',
    'src/domain/dispatch/effects.ts',
    'src/domain/dispatch/plan.ts',
    'src/core/precondition.ts',
  ],
  // The header, the fingerprint's text, the unit that binds the key, what a refused unit means, and who waits for whom.
  idempotency: [
    'routers/headers.ts',
    'src/client/idempotency-key.ts',
    'src/core/json.ts',
    'src/domain/idempotency/store.ts',
    'src/domain/shipments/create.ts',
    'src/domain/shipments/create-refusal.ts',
    'src/domain/shipments/creation.ts',
    'src/runtime/coordination/group-committer.ts',
  ],
  // What is signed and with which secrets, how secrets are kept and changed, and how a receiver verifies.
  signature: [
    'src/client/verify-webhook.ts',
    'src/domain/webhooks/attempt.ts',
    'src/domain/webhooks/rotation.ts',
    'src/domain/webhooks/secret.ts',
    'src/domain/webhooks/signature.ts',
  ],
  // Who somebody is, what his token is good for, and for which company he acts.
  access: [
    'src/access/access-token.ts',
    'src/access/authenticate.ts',
    'src/access/driver-token.ts',
    'src/access/principal.ts',
    'src/access/require.ts',
    'src/access/session-token.ts',
    'src/access/token-hash.ts',
    'src/access/tracking-token.ts',
  ],
  // The seal, what it is made of, what a page is, and the walk over pages.
  cursor: [
    'src/access/cursor.ts',
    'src/client/list-all.ts',
    'src/contract/page.ts',
    'src/core/base64url.ts',
    'src/domain/events/feed.ts',
    'src/domain/page.ts',
    'src/domain/read-up-to.ts',
    'src/domain/shipments/read.ts',
  ],
};
