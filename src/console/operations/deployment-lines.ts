import type { Outputs } from '../../ui/browser/service/calls.ts';
import type { DeploymentTexts } from './deployment-words.ts';

export type Status = Outputs['operations']['status'];
type Database = Status['databases'][number];
type Work = NonNullable<Database['work']>;

/** One part of the deployment: how it is, and what to do about it. */
export interface Line {
  readonly health: 'works' | 'watch' | 'broken';
  readonly sentence: string;
  readonly action?: string;
}

/* The limits of the alerts in docs/operations.md. */
const SLOW_READ_MS = 500;
const LATE_DUE_MS = 60_000;
const LATE_WEBHOOK_MS = 30_000;
const LATE_SWEEP_MS = 300_000;

/** The sentences of a status. `ageOf` formats how long ago an instant was. */
export function linesOf(status: Status, text: DeploymentTexts, ageOf: (instant: string) => string): Line[] {
  const nowMs = Date.parse(status.checkedAt);
  const olderThan = (instant: string, limitMs: number) => nowMs - Date.parse(instant) > limitMs;
  const sweepLine = ({ database, sweptAt }: Database): Line => {
    if (sweptAt === null) return { health: 'watch', ...text.notSwept(database) };
    if (olderThan(sweptAt, LATE_SWEEP_MS)) return { health: 'broken', ...text.lateSweep(database, ageOf(sweptAt)) };
    return { health: 'works', sentence: text.swept(database, ageOf(sweptAt)) };
  };
  const dueLine = (database: string, { oldestDueAt }: Work): Line =>
    oldestDueAt !== null && olderThan(oldestDueAt, LATE_DUE_MS)
      ? { health: 'broken', ...text.lateDue(database, ageOf(oldestDueAt)) }
      : { health: 'works', sentence: text.noneDue(database) };
  const webhookLine = (database: string, { webhooksWaiting, oldestWebhookAt }: Work): Line => {
    const oldest = oldestWebhookAt === null ? undefined : ageOf(oldestWebhookAt);
    if (oldestWebhookAt === null || oldest === undefined) {
      return { health: 'works', sentence: text.noWebhooks(database) };
    }
    if (olderThan(oldestWebhookAt, LATE_WEBHOOK_MS)) {
      return { health: 'broken', ...text.lateWebhooks(database, webhooksWaiting, oldest) };
    }
    return { health: 'works', sentence: text.someWebhooks(database, webhooksWaiting) };
  };
  const ofDatabase = (one: Database): Line[] => {
    const { database, work } = one;
    const answer = answerLine(one, text);
    // Without an answer there is nothing else to say.
    if (one.latencyMs === null) return [answer];
    const waiting = work === null ? [] : [dueLine(database, work), webhookLine(database, work)];
    return [answer, ...waiting, sweepLine(one)];
  };
  return [...status.databases.flatMap(ofDatabase), ...providerLines(status, text)];
}

function answerLine(one: Database, text: DeploymentTexts): Line {
  const { database, answers, migrationsCurrent, durabilityStrong, writable, latencyMs } = one;
  if (!answers) return { health: 'broken', ...text.silent(database) };
  if (!migrationsCurrent) return { health: 'broken', ...text.oldMigration(database) };
  if (latencyMs === null) return { health: 'broken', ...text.silent(database) };
  if (!writable) return { health: 'broken', ...text.notWritable(database) };
  if (!durabilityStrong) return { health: 'broken', ...text.notSynced(database) };
  if (latencyMs > SLOW_READ_MS) return { health: 'watch', ...text.slow(database, latencyMs) };
  return { health: 'works', sentence: text.answers(database, latencyMs) };
}

function providerLines({ deployment, routing, messages, documents }: Status, text: DeploymentTexts): Line[] {
  const isProduction = deployment === 'production';
  const routingLine = (): Line => {
    if (routing.engine === 'none') return { health: 'broken', ...text.noRouting };
    if (!routing.answers) return { health: 'broken', ...text.routingSilent };
    return { health: 'works', sentence: routing.engine === 'fixture' ? text.routingFixture : text.routingAnswers };
  };
  const messagesLine = (): Line => {
    if (messages.provider === 'none') return { health: 'broken', ...text.noMessages };
    if (messages.provider === 'carriers') return { health: 'works', sentence: text.messagesSent };
    return { health: isProduction ? 'broken' : 'works', sentence: text.messagesKept };
  };
  const documentsLine: Line =
    documents.provider === 'none'
      ? { health: 'broken', ...text.noDocuments }
      : { health: 'works', sentence: text.documentsStored };
  return [routingLine(), messagesLine(), documentsLine];
}
