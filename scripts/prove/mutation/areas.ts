export interface Area {
  /** The files that decide. A mutant in any of them changes a promise of the interface. */
  readonly files: readonly string[];
  /** The tests of those files, none of which needs a server beside it; the quick ones first. */
  readonly tests: readonly string[];
}

/** What is mutated, and which tests have to notice: docs/decisions/0102-mutation-testing.md. */
export const AREAS: Readonly<Record<string, Area>> = {
  // The table and its decision, the unit of SQL that follows from it, If-Match, and what it means for dispatch.
  lifecycle: {
    files: [
      'src/domain/shipments/lifecycle.ts',
      'src/domain/shipments/command.ts',
      'src/domain/shipments/driver-effects.ts',
      'src/core/precondition.ts',
    ],
    tests: [
      'test/unit/domain/lifecycle.test.ts',
      'test/unit/core/precondition.test.ts',
      'test/unit/shipments/{command,command-races}.test.ts',
      'test/unit/dispatch/{charges,transitions}.test.ts',
    ],
  },
  // The header, the key that clients make, the unit that binds it, and what a unit that was refused means.
  idempotency: {
    files: [
      'routers/headers.ts',
      'src/client/idempotency-key.ts',
      'src/domain/idempotency/store.ts',
      'src/domain/shipments/create.ts',
      'src/domain/shipments/create-refusal.ts',
      'src/domain/shipments/creation.ts',
    ],
    tests: [
      'test/unit/client/idempotency-key.test.ts',
      'test/unit/http/parameters.test.ts',
      'test/unit/shipments/{create,idempotency,lost-answers}.test.ts',
    ],
  },
  // What is signed and with which secrets, how secrets are kept and changed, and how a receiver verifies.
  signature: {
    files: [
      'src/client/verify-webhook.ts',
      'src/domain/webhooks/attempt.ts',
      'src/domain/webhooks/rotation.ts',
      'src/domain/webhooks/secret.ts',
      'src/domain/webhooks/signature.ts',
    ],
    tests: [
      'test/unit/client/verify-webhook.test.ts',
      'test/unit/webhooks/{attempt,rotation,secret,signature}.test.ts',
    ],
  },
  // Who somebody is, what his token is good for, and for which company he acts.
  access: {
    files: [
      'src/access/access-token.ts',
      'src/access/authenticate.ts',
      'src/access/driver-token.ts',
      'src/access/principal.ts',
      'src/access/require.ts',
      'src/access/session-token.ts',
      'src/access/tracking-token.ts',
    ],
    tests: ['test/unit/access/{require,token-cache,session-token,tokens,access-token,authenticate}.test.ts'],
  },
  // The seal, what it is made of, what a page is, the lists of shipments and events, and a client's walk over pages.
  cursor: {
    files: [
      'src/access/cursor.ts',
      'src/client/list-all.ts',
      'src/contract/page.ts',
      'src/core/base64url.ts',
      'src/domain/events/feed.ts',
      'src/domain/page.ts',
      'src/domain/rows.ts',
      'src/domain/shipments/read.ts',
    ],
    tests: [
      'test/unit/access/cursor.test.ts',
      'test/unit/client/list-all.test.ts',
      'test/unit/core/base64url.test.ts',
      'test/unit/domain/rows.test.ts',
      'test/unit/http/parameters.test.ts',
      'test/unit/shipments/{feed,lists}.test.ts',
    ],
  },
};
