import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { LOOPBACK } from '../shared/ports.ts';
import { RawConnection } from './http-connection.ts';
import type { Load, LoadResult, PhaseResult } from './load.ts';
import { LoadTally } from './load-tally.ts';
import { turnsOf } from './turns.ts';
import { watchUsage } from './usage.ts';

/** Sends requests when they are due, or keeps every connection busy, and counts how each request ended. */
class LoadDriver {
  readonly #order: Load;
  readonly #next: ReturnType<typeof turnsOf>;
  readonly #connections: RawConnection[];
  readonly #idle: RawConnection[];
  readonly #created: string[] = [];
  #tally: LoadTally;
  #isOver = false;

  constructor(order: Load) {
    this.#order = order;
    this.#next = turnsOf(order.streams);
    this.#connections = Array.from({ length: order.connections }, () => new RawConnection(LOOPBACK, order.port));
    this.#idle = [...this.#connections];
    this.#tally = new LoadTally({ name: 'none', seconds: 1, rate: 0 }, 0);
  }

  async run(): Promise<LoadResult> {
    const watch = setInterval(() => {
      for (const connection of this.#connections) connection.checkDeadline();
    }, WATCH_MS);
    const finished: { tally: LoadTally; used: Parameters<LoadTally['sumUp']>[0] }[] = [];
    for (const phase of this.#order.phases) {
      this.#tally = new LoadTally(phase, performance.now());
      const usage = watchUsage(this.#order.processes);
      await this.#runPhase(this.#tally);
      finished.push({ tally: this.#tally, used: usage.stop() });
    }
    this.#isOver = true;
    // Requests in progress end with their answer or at their deadline.
    while (this.#idle.length < this.#connections.length) await delay(TICK_MS);
    clearInterval(watch);
    for (const connection of this.#connections) connection.close();
    const phases: PhaseResult[] = finished.map(({ tally, used }) => tally.sumUp(used));
    return { phases, created: this.#created };
  }

  async #runPhase(tally: LoadTally): Promise<void> {
    const { rate } = tally.phase;
    let tickedAt = performance.now();
    for (;;) {
      const now = performance.now();
      tally.lagsMs.push(Math.max(0, now - tickedAt - TICK_MS));
      tickedAt = now;
      if (now >= tally.endsAt) return;
      if (rate === undefined) this.#useAll();
      else this.#sendDue(tally, Math.floor(((now - tally.startedAt) / 1000) * rate), rate);
      await delay(TICK_MS);
    }
  }

  #sendDue(tally: LoadTally, due: number, rate: number): void {
    while (tally.due < due) {
      const dueAt = tally.startedAt + (tally.due / rate) * 1000;
      tally.due += 1;
      const connection = this.#idle.pop();
      if (connection === undefined) tally.hold(dueAt);
      else void this.#send(connection, tally, dueAt);
    }
  }

  #useAll(): void {
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      this.#tally.due += 1;
      void this.#send(connection, this.#tally, performance.now());
    }
  }

  async #send(connection: RawConnection, tally: LoadTally, dueAt: number): Promise<void> {
    const turn = this.#next();
    tally.sent += 1;
    const ending = await connection.send(turn.bytes);
    const endedAt = performance.now();
    tally.note(turn, ending, { dueAt, endedAt });
    if (ending === turn.expectStatus && endedAt < this.#tally.endsAt) this.#tally.succeededWithin += 1;
    if (ending === 201 && turn.fresh !== undefined) this.#created.push(turn.fresh);
    // Without a pause, refused connections would be retried in a tight loop.
    if (typeof ending !== 'number') await delay(REFUSED_PAUSE_MS);
    this.#idle.push(connection);
    if (!this.#isOver && this.#tally.phase.rate === undefined) this.#useAll();
  }
}

const WATCH_MS = 250;
const TICK_MS = 1;
const REFUSED_PAUSE_MS = 50;

const order = JSON.parse(await text(process.stdin)) as Load;
process.stdout.write(JSON.stringify(await new LoadDriver(order).run()));
