import type { Uuid } from '../../../src/core/uuid.ts';
import type { Dice } from '../../shared/dice.ts';
import { BASE_URL, type Genesis, type SimulatedCompany } from '../../shared/memory/genesis.ts';
import { halalasOf } from './check/charge-check.ts';
import type { Ledger } from './check/ledger.ts';
import type { Owner, Schedule } from './schedule.ts';
import type { ServiceProcess } from './service-process.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** One request, and what its client does with the answer. */
export interface ClientRequest {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The company whose data the answer may contain. */
  readonly company?: SimulatedCompany | undefined;
  /** The shipment that it is about. */
  readonly shipmentId?: string;
  readonly onAnswer?: (answer: Answer) => void;
  /** There was no answer, or 503. */
  readonly onSilence?: () => void;
}

/** What all clients of the world share. */
export interface ClientContext {
  readonly dice: Dice;
  readonly schedule: Schedule;
  readonly ledger: Ledger;
  readonly genesis: Genesis;
  readonly trace: (line: string) => void;
  /** Milliseconds since 1970, by a correct clock. */
  readonly wallMs: () => number;
  readonly newId: () => Uuid;
  readonly isCalm: () => boolean;
  /** The newest code that a phone has got. */
  readonly codeOn: (phone: string) => string | undefined;
  readonly send: (ask: ClientRequest) => void;
  /** Schedules a task of the world. */
  readonly later: (name: string, delayMs: number, run: () => void) => void;
}

export interface SenderOptions {
  readonly context: () => ClientContext;
  readonly processes: readonly ServiceProcess[];
  readonly judge: (ask: SentRequest, answer: Answer) => void;
  readonly distort?: ((ask: SentRequest, answer: Answer) => Answer) | undefined;
}

/** With the version that the shipment had when the request was sent. */
export interface SentRequest extends ClientRequest {
  readonly correlationId: string;
  readonly versionBefore: number;
}

/** Clients wait no longer for an answer. */
const PATIENCE_MS = 30_000;
/** The network between clients and the service. */
const OUTSIDE: Owner = { name: 'outside', isDead: false, standsStillUntilMs: 0 };
/** 503; and 401 when the clock was moved and the token expired on the way. */
const NO_ANSWERS: readonly number[] = [401, 503];

/** Carries requests to processes and answers back. Both may be lost, and a process may be dead. */
export function senderOf({ context, processes, judge, distort }: SenderOptions): (ask: ClientRequest) => void {
  return (ask) => {
    const { dice, schedule, ledger, newId, isCalm, trace } = context();
    const sent = { ...ask, correlationId: newId(), versionBefore: ledger.versionOf(ask.shipmentId ?? '') };
    ledger.sent.set(sent.correlationId, { name: ask.name, atMs: schedule.nowMs });
    const limit = ask.headers?.['price-limit'];
    if (limit !== undefined) ledger.limits.set(sent.correlationId, halalasOf(Number(limit)));
    const process = processes[Math.floor(dice.roll() * processes.length)];
    if (process === undefined) throw new Error('There is no process');
    let isOver = false;
    const end = (answer: Answer | undefined): void => {
      if (isOver) return;
      isOver = true;
      trace(`${ask.name} ${answer === undefined ? 'unheard' : `${answer.status} ${answer.text}`}`);
      if (answer !== undefined) judge(sent, answer);
      if (answer === undefined || NO_ANSWERS.includes(answer.status)) ask.onSilence?.();
      else ask.onAnswer?.(answer);
    };
    const isLost = (chance: number) => !isCalm() && dice.roll() < chance;
    schedule.add('unheard', PATIENCE_MS, OUTSIDE, () => end(undefined));
    if (isLost(0.005)) return;
    const wayBackMs = dice.between(1, 20);
    schedule.add(ask.name, dice.between(1, 20), process, () => {
      void process.answer(requestOf(sent)).then(async (response) => {
        const given = { status: response.status, text: await response.text() };
        const answer = distort === undefined ? given : distort(sent, given);
        if (isLost(0.01)) return judge(sent, answer);
        schedule.add(`${ask.name} answered`, wayBackMs, OUTSIDE, () => end(answer));
      });
    });
  };
}

function requestOf({ method, path, token, headers, body, correlationId }: SentRequest): Request {
  return new Request(`${BASE_URL}${path}`, {
    method,
    headers: {
      'x-correlation-id': correlationId,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
}
