import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto';
import type { Owner, Schedule } from './schedule.ts';

/*
 * The service's code runs unchanged. Timers, deadlines, cryptography and the log are replaced, because real timers and
 * the thread pool of WebCrypto would run in an order that the seed does not decide.
 */

export interface VirtualWorld {
  readonly schedule: Schedule;
  /** The process whose code is running. Undefined outside the simulation. */
  readonly running: () => Owner | undefined;
  readonly log: (line: string) => void;
}

/** The deadline of a call that leaves a process. The receiver of the call applies it. */
export interface Deadline {
  readonly timeoutMs: number;
}

/** Results from the runtime's own threads. They are admitted one by one, when no other code runs. */
export class Outside {
  readonly #waiting: (() => Promise<void>)[] = [];

  do<Value>(work: () => Promise<Value>): Promise<Value> {
    const begun = work();
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => begun.then(resolve, reject));
    });
  }

  /** Admits the first result. False when there is none. */
  async admitOne(): Promise<boolean> {
    const first = this.#waiting.shift();
    await first?.();
    return first !== undefined;
  }
}

/** Replaces the globals. Returns the function that restores them. */
export function installGlobals(world: VirtualWorld, outside: Outside): () => void {
  const { setTimeout: realTimeout, clearTimeout: realClear, setInterval: realInterval } = globalThis;
  const { log, error } = console;
  const { timeout } = AbortSignal;
  const clear = (timer: unknown) => {
    if (isVirtual(timer)) timer.isCancelled = true;
    else realClear(timer as Parameters<typeof realClear>[0]);
  };
  const replacements = {
    setTimeout: (run: () => void, ms = 0) => {
      const owner = world.running();
      return owner === undefined ? realTimeout(run, ms) : world.schedule.add('timer', ms, owner, run);
    },
    setInterval: (run: () => void, ms: number) => {
      const owner = world.running();
      return owner === undefined ? realInterval(run, ms) : repeat(world.schedule, ms, owner, run);
    },
    clearTimeout: clear,
    clearInterval: clear,
  };
  const write = (line: unknown) => {
    if (world.running() === undefined) log(line);
    else world.log(String(line));
  };
  Object.assign(globalThis, replacements);
  Object.assign(console, { log: write, error: write });
  const deadline = (timeoutMs: number) => ({ timeoutMs }) satisfies Deadline as unknown as AbortSignal;
  Object.assign(AbortSignal, { timeout: deadline });
  Object.defineProperty(globalThis.crypto, 'subtle', { value: subtleOf(outside), configurable: true });
  return () => {
    const timers = { setTimeout: realTimeout, setInterval: realInterval };
    Object.assign(globalThis, { ...timers, clearTimeout: realClear, clearInterval: realClear });
    Object.assign(console, { log, error });
    Object.assign(AbortSignal, { timeout });
    Reflect.deleteProperty(globalThis.crypto, 'subtle');
  };
}

function repeat(schedule: Schedule, ms: number, owner: Owner, run: () => void): object {
  const handle = { isCancelled: false };
  const again = (): void => {
    if (handle.isCancelled) return;
    schedule.add('interval', ms, owner, again);
    run();
  };
  schedule.add('interval', ms, owner, again);
  return handle;
}

function isVirtual(timer: unknown): timer is { isCancelled: boolean } {
  return typeof timer === 'object' && timer !== null && 'isCancelled' in timer;
}

/** A key as its bytes. */
interface PlainKey {
  readonly plain: Uint8Array;
}

/** The same algorithms, synchronous. Rare ones (keys and signatures of tokens) go to the runtime. */
function subtleOf(outside: Outside) {
  const real = crypto.subtle;
  const own = {
    digest: async (_name: string, data: Uint8Array) => asBuffer(createHash('sha256').update(data).digest()),
    importKey: (...args: unknown[]) =>
      args[0] === 'raw'
        ? Promise.resolve({ plain: args[1] as Uint8Array } satisfies PlainKey)
        : outside.do(() => Reflect.apply(real.importKey, real, args) as Promise<unknown>),
    sign: (...args: [unknown, unknown, Uint8Array]) => {
      const [, key, data] = args;
      if (!isPlain(key)) return outside.do(() => Reflect.apply(real.sign, real, args) as Promise<unknown>);
      return Promise.resolve(asBuffer(createHmac('sha256', key.plain).update(data).digest()));
    },
    verify: (...args: unknown[]) => outside.do(() => Reflect.apply(real.verify, real, args) as Promise<unknown>),
    encrypt: async (algorithm: AesGcmParams, { plain }: PlainKey, data: Uint8Array) => {
      const cipher = createCipheriv('aes-256-gcm', plain, algorithm.iv as Uint8Array);
      if (algorithm.additionalData !== undefined) cipher.setAAD(algorithm.additionalData as Uint8Array);
      return asBuffer(Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()]));
    },
    decrypt: async (algorithm: AesGcmParams, { plain }: PlainKey, sealed: Uint8Array) => {
      const decipher = createDecipheriv('aes-256-gcm', plain, algorithm.iv as Uint8Array);
      if (algorithm.additionalData !== undefined) decipher.setAAD(algorithm.additionalData as Uint8Array);
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      return asBuffer(Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]));
    },
  };
  return own;
}
const TAG_BYTES = 16;

function isPlain(key: unknown): key is PlainKey {
  return typeof key === 'object' && key !== null && 'plain' in key;
}

function asBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
