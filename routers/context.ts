import type { Locale } from '../src/core/locale.ts';
import type { Uuid } from '../src/core/uuid.ts';
import type { Services } from '../src/runtime/services.ts';

/** What is known of a request before anybody looks at its contents. */
export interface RequestFacts {
  readonly requestId: Uuid;
  readonly correlationId: Uuid;
  /** 32 lower-case hexadecimal characters of a valid W3C `traceparent`. */
  readonly traceId: string | undefined;
  readonly locale: Locale;
  readonly path: string;
  readonly authorization: string | null;
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
  readonly reply: Reply;
  readonly log: LogFacts;
}

/** What becomes known of a request on its way, for its line in the log. */
export interface LogFacts {
  companyId?: Uuid;
}
