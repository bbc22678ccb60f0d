import type { Locale } from '../src/core/locale.ts';
import type { Refusal } from '../src/core/result.ts';
import type { Uuid } from '../src/core/uuid.ts';
import type { CompanyClock } from '../src/ports/clock.ts';
import type { Budget, Left } from '../src/ports/limiter.ts';
import type { Services } from '../src/service/services.ts';

/** Facts of a request that are known before its body is read. */
export interface RequestFacts {
  readonly requestId: Uuid;
  readonly correlationId: Uuid;
  /** 32 lower-case hexadecimal characters of a valid W3C `traceparent`. */
  readonly traceId: string | undefined;
  readonly locale: Locale;
  readonly path: string;
  readonly method: string;
  readonly authorization: string | null;
  /** `Registration-Upload-Capability`: a secret that authorises only the uploads of one registration. */
  readonly uploadCapability: string | null;
  readonly cookie: string | null;
  readonly origin: string | null;
  /** `Sec-Fetch-Site`: how a browser says where a request comes from. */
  readonly fetchSite: string | null;
  /** `Mirsal-Acting-As`: the person and the company that the page of the request shows. */
  readonly actingAs: string | null;
  /** Whether a person looks at the answer: see `isFromPerson`. */
  readonly isFromPerson: boolean;
  /** The network address of the client, if the runtime knows it. */
  readonly address: string | undefined;
}

/** What a procedure sets besides its output. Only REST uses status and headers. */
export interface Reply {
  status?: number;
  readonly headers: Record<string, string>;
  /** The caller's rate limit, which REST and tRPC answer. */
  rateLimit?: { readonly budget: Budget; readonly left: Left | undefined };
  /** The clock of the caller's sandbox, which REST and tRPC answer. */
  sandboxClock?: CompanyClock;
  /** The representation has changed and its tag has not, so the answer is never 304. */
  isTagStale?: boolean;
}

export interface Context {
  readonly services: Services;
  readonly facts: RequestFacts;
  /** Keeps the runtime alive for work after the response. */
  readonly later: (work: Promise<unknown>) => void;
  /** Counts the request for this shard. Throws a `Problem` if the shard is full. */
  readonly enterShard: (shard: string, sentFrom?: string) => void;
  /** Counts a large body of the request for the company of its caller. */
  readonly enterCompany: (companyId: string) => void;
  /** Does slow work without a place among the requests in progress, and without counting the request's body. */
  readonly outside: <Value>(work: () => Promise<Value>) => Promise<Value>;
  readonly reply: Reply;
  /** Parameters of the REST path, as sent. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The interface of the call. The console uses tRPC with a session, programs use tokens. */
  readonly face: 'rest' | 'trpc';
  readonly log: LogFacts;
  /** Reads the input of a call over tRPC, by its number in the request. The REST adapter reads the input of its own. */
  readonly inputOf?: ((call: number) => Promise<unknown>) | undefined;
  /** Builds the body of a problem. tRPC formats errors without waiting, so its adapter loads the texts before. */
  readonly problemOf?: ((refusal: Refusal) => Record<string, unknown>) | undefined;
}

/** Facts that become known during a request, for its log line and the request log. */
export interface LogFacts {
  companyId?: Uuid;
  /** The company's program; absent for a person. */
  clientId?: string;
  /** Over tRPC: the names of the procedures, separated by commas. */
  procedures?: string;
  /** The calls of a request for the request log. Absent if none is kept. */
  readonly calls?: NotedCall[];
}

/** A call of a procedure, when it has ended. */
export interface NotedCall {
  readonly operation: string;
  /** Undefined if the call ended before its request was read. */
  readonly input: unknown;
  readonly output: unknown;
  readonly refusal: Refusal | undefined;
  readonly isRead: boolean;
  readonly durationMs: number;
}
