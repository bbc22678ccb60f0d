export interface Area {
  /** The mutated files. A mutant in any of them changes a promise of the interface. */
  readonly files: readonly string[];
  /** The tests of those files, the quick ones first. None of them needs a server. */
  readonly tests: readonly string[];
}

/** What is mutated, and which tests must notice it: docs/decisions/0102-mutation-testing.md. */
export const AREAS: Readonly<Record<string, Area>> = {
  // The table and its decision, its unit of SQL, If-Match, and the effects on dispatch.
  lifecycle: {
    files: [
      'src/domain/shipments/lifecycle.ts',
      'src/domain/shipments/command.ts',
      'src/domain/shipments/driver-effects.ts',
      'src/core/precondition.ts',
    ],
    tests: [
      'test/unit/domain/shipments/lifecycle.test.ts',
      'test/unit/core/precondition.test.ts',
      'test/unit/domain/shipments/{command,command-races}.test.ts',
      'test/unit/domain/pricing/charges.test.ts',
      'test/unit/domain/dispatch/transitions.test.ts',
    ],
  },
  // The header, the keys of clients, the unit that binds a key, and the reasons of a refused unit.
  idempotency: {
    files: [
      'routers/headers.ts',
      'src/client/idempotency-key.ts',
      'src/domain/idempotency/store.ts',
      'src/domain/shipments/create.ts',
      'src/domain/shipments/create-refusal.ts',
      'src/domain/shipments/creation.ts',
      'src/domain/shipments/prepare-creation.ts',
    ],
    tests: [
      'test/unit/client/idempotency-key.test.ts',
      'test/unit/http/parameters.test.ts',
      'test/unit/domain/idempotency/idempotency.test.ts',
      'test/unit/domain/shipments/{create,lost-answers}.test.ts',
    ],
  },
  // What is signed with which secrets, how secrets are stored and rotated, and how a receiver verifies.
  signature: {
    files: [
      'src/client/decimals.ts',
      'src/client/verify-webhook.ts',
      'src/domain/webhooks/attempt.ts',
      'src/domain/webhooks/rotation.ts',
      'src/domain/webhooks/secret.ts',
      'src/domain/webhooks/signature.ts',
    ],
    tests: [
      'test/unit/client/verify-webhook.test.ts',
      'test/unit/domain/webhooks/{attempt,rotation,secret,signature}.test.ts',
    ],
  },
  // Who the caller is, what the token allows, for which company it acts, and the guards of procedures.
  access: {
    files: [
      'routers/procedure.ts',
      'src/access/access-token.ts',
      'src/access/authenticate.ts',
      'src/access/driver-token.ts',
      'src/access/failed-authentications.ts',
      'src/access/principal.ts',
      'src/access/require.ts',
      'src/access/session-token.ts',
      'src/access/tracking-token.ts',
    ],
    tests: [
      'test/unit/access/{require,token-cache,session-token,tokens,access-token,authenticate,failed-authentications}.test.ts',
      'test/unit/routers/procedure.test.ts',
    ],
  },
  // The seal and its content, pages, the lists of shipments and events, and how a client walks over pages.
  cursor: {
    files: [
      'src/access/sealer.ts',
      'src/client/list-all.ts',
      'src/contract/page.ts',
      'src/core/base64url.ts',
      'src/domain/events/feed.ts',
      'src/domain/page.ts',
      'src/domain/rows.ts',
      'src/domain/shipments/read.ts',
    ],
    tests: [
      'test/unit/access/sealer.test.ts',
      'test/unit/client/list-all.test.ts',
      'test/unit/core/base64url.test.ts',
      'test/unit/domain/rows.test.ts',
      'test/unit/http/parameters.test.ts',
      'test/unit/domain/events/feed.test.ts',
      'test/unit/domain/shipments/lists.test.ts',
    ],
  },
  // One-time codes: how they are generated, stored, tried and used up, and how many may be requested.
  challenges: {
    files: [
      'src/domain/challenges/challenge.ts',
      'src/domain/challenges/code.ts',
      'src/domain/challenges/limit.ts',
      'src/domain/challenges/store.ts',
    ],
    tests: [
      'test/unit/domain/challenges/{challenge-code,limit}.test.ts',
      'test/database/registrations/{challenges,sessions,identifiers,registration,sweep}.test.ts',
    ],
  },
  // The rate limiters of both platforms, the limit of failed authentications, and the network addresses that they count by.
  limiter: {
    files: [
      'src/access/failed-authentications.ts',
      'src/core/minute-windows.ts',
      'src/core/network-address.ts',
      'src/platform/cloudflare/limiter.ts',
      'src/providers/memory-limiter.ts',
    ],
    tests: [
      'test/unit/access/failed-authentications.test.ts',
      'test/unit/core/network-address.test.ts',
      'test/unit/providers/memory-limiter.test.ts',
    ],
  },
};
