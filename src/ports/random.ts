import type { Uuid } from '../core/uuid.ts';

export interface Random {
  /** A new UUID of version 7 (RFC 9562). */
  uuid(): Uuid;
  bytes(length: number): Uint8Array<ArrayBuffer>;
}
