import type { CLIENT_PROGRAMS } from '../../http/web/asset-paths.ts';
import type { ReferenceContext } from '../reference/samples.ts';
import { fence, type SiteText, wordOf } from '../text.ts';

/** The command that starts a local service. */
export const START_COMMAND = 'npm ci && npm run dev';

/** Shell commands that read the credential of a sample company. */
export const CREDENTIAL_COMMANDS = `credential() { node -p "require('./.data/local.json').companies[0].$1"; }
export MIRSAL_CLIENT_ID=$(credential clientId)
export MIRSAL_CLIENT_SECRET=$(credential clientSecret)`;

/** A program that merchants copy. Its commands lead from an empty folder to a delivered shipment. */
export interface Starter {
  readonly language: string;
  readonly file: (typeof CLIENT_PROGRAMS)[number];
  /** The oldest version that it is written for. */
  readonly needs: string;
  readonly command: string;
}

export const STARTERS: readonly Starter[] = [
  { language: 'Python', file: 'mirsal.py', needs: 'Python 3.9', command: 'python3 mirsal.py' },
  { language: 'PHP', file: 'Mirsal.php', needs: 'PHP 8.1 + curl', command: 'php Mirsal.php' },
  { language: 'Go', file: 'mirsal.go', needs: 'Go 1.19', command: 'go run mirsal.go' },
  {
    language: 'TypeScript',
    file: 'first-shipment.mts',
    needs: 'Node 24',
    command: 'npm install ./mirsal-client-1.0.0.tgz @trpc/client@11 @trpc/server@11\nnode first-shipment.mts',
  },
  { language: 'C#', file: 'Mirsal.cs', needs: '.NET 10', command: 'dotnet run Mirsal.cs' },
];

/** The commands of the guide, in a folder that is empty. */
function starterCommands({ file, command }: Starter, baseUrl: string): string {
  return `curl -sSO ${baseUrl}/clients/${file}\nexport MIRSAL_URL=${baseUrl}\n${command}`;
}

/** A section for each program. */
export function starterBlocks(text: SiteText, { baseUrl }: ReferenceContext): string {
  return STARTERS.map((starter) => {
    const { language, file, needs } = starter;
    const code = fence(language, starterCommands(starter, baseUrl));
    return `## ${language} {#${file.toLowerCase()}}\n\n${code}\n\n[${wordOf(text, 'read')}](/clients/${file}) · ${needs}`;
  }).join('\n\n');
}
