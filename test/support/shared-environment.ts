import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { connect, type Environment, type EnvironmentFacts } from '../../scripts/shared/connection.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly environment: EnvironmentFacts;
  }
}

/** One service and three databases for all files of a project, started by the first one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Test files import this file too, but must not load what starts an environment.
  const { startEnvironment } = await import('../../scripts/shared/environment.ts');
  const { startLimitedWorker } = await import('../../scripts/shared/service.ts');
  const { stop, ...environment } = await (project.name === 'limited'
    ? startEnvironment('worker', {}, startLimitedWorker)
    : startEnvironment(project.name === 'deno' ? 'deno' : 'worker'));
  const { runtime, address, databaseUrls, credentialKey, signingKeys, companies, operator } = environment;
  const facts = { runtime, address, databaseUrls, credentialKey, signingKeys, companies, operator };
  project.provide('environment', facts);
  return stop;
}

/** The shared environment, from inside a test file. Tests that count rows create their own company. */
export function sharedEnvironment(): Environment {
  return connect(inject('environment'));
}
