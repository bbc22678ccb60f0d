export type Provider = 'routing' | 'sms' | 'email' | 'documents' | 'streets' | 'registry' | 'geocoder';

/** The end of a provider's last call. `refused`: the provider works, and did not do what this call asked for. */
export interface LastCall {
  readonly outcome: 'answered' | 'refused' | 'failed' | 'timed_out';
  /** The HTTP status of an answer that was refused or not usable. */
  readonly status?: number | undefined;
  readonly endedAtMs: number;
}

/** As `/ready` shows it to anybody, so without the cause, which may name a host. */
export interface ProviderState extends Omit<LastCall, 'endedAtMs'> {
  readonly secondsAgo: number;
}

/** What is known of the providers in this process or isolate. */
export interface ProviderStates {
  /** The last call of each provider that was called. */
  lastCalls(): Readonly<Partial<Record<Provider, ProviderState>>>;
}
