import type { Locale } from '../src/core/locale.ts';
import type { Uuid } from '../src/core/uuid.ts';
import type { Services } from '../src/service/services.ts';

/** What is known of a request before anybody looks at its contents. */
export interface RequestFacts {
  readonly requestId: Uuid;
  readonly correlationId: Uuid;
  /** 32 lower-case hexadecimal characters of a valid W3C `traceparent`. */
  readonly traceId: string | undefined;
  readonly locale: Locale;
  readonly path: string;
  readonly method: string;
  readonly authorization: string | null;
  /** `Registration-Upload-Capability`: what a registration gave for its uploads, and for nothing else. */
  readonly uploadCapability: string | null;
  readonly cookie: string | null;
  readonly origin: string | null;
  /** `Sec-Fetch-Site`: how a browser says where a request comes from. */
  readonly fetchSite: string | null;
  /** The network address that the request came from, as far as the runtime knows it. */
  readonly address: string | undefined;
}

/** What a procedure says beside its output. REST puts it into the response; over tRPC the output says enough. */
export interface Reply {
  status?: number;
  readonly headers: Record<string, string>;
}

export interface Context {
  readonly services: Services;
  readonly facts: RequestFacts;
  /** Lets work go on when the answer is out. */
  readonly later: (work: Promise<unknown>) => void;
  /** Counts the request in this shard; throws the `Problem` of one that has no room for more. */
  readonly enterShard: (shard: string, sentFrom?: string) => void;
  /** Does what may take long and is not the service's own work, without being in anybody's way meanwhile. */
  readonly outside: <Value>(work: () => Promise<Value>) => Promise<Value>;
  readonly reply: Reply;
  /** Parameters of the request's path on REST, as they were sent. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Which face of the service was called: pages speak tRPC and bring a session where a program brings a token. */
  readonly face: 'rest' | 'trpc';
  readonly log: LogFacts;
}

/** What becomes known of a request on its way, for its line in the log. */
export interface LogFacts {
  companyId?: Uuid;
}
