import { logError } from '../ports/log.ts';
import { type CheckedServices, checkDatabases, checkKeys, checkProviders, type Finding, type Send } from './checks.ts';

/**
 * The checks of `npm run doctor` at the start of a process. Another database and a key that values need throw before the service
 * listens. Everything else is one line in the log, and the service starts: it can do some of its work without a provider, or
 * with a database that does not answer yet.
 */
export async function checkStart(services: CheckedServices, send: Send): Promise<void> {
  const databases = await checkDatabases(services, () => 'see the line before');
  const wrong = databases.filter(({ isForeign }) => isForeign);
  const refused = wrong.length > 0 ? wrong : (await checkKeys(services, 'start')).filter(({ isFault }) => isFault);
  if (refused.length > 0) throw new Error(`The service does not start. ${refused.map(textOf).join('. ')}.`);
  tell(databases);
  // The service does not wait for providers, which may take seconds.
  void checkProviders(services, send).then(tell);
}

function tell(findings: readonly Finding[]): void {
  for (const finding of findings) if (finding.isFault) logError({ error: textOf(finding) });
}

function textOf({ check, found, mend }: Finding): string {
  return `${check}: ${found}. ${mend}`;
}
