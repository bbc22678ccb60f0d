import { parseArgs } from 'node:util';
import type * as z from 'zod';
import { environment } from '../../src/service/environment.ts';
import { failWith, isCommand } from '../shared/command.ts';
import { requireDatabases } from '../shared/database-addresses.ts';
import { createProgram, inviteOperator, listOperators, removeOperator } from '../shared/operators.ts';
import { requireIdentity } from '../shared/require-identity.ts';
import { SetupError } from '../shared/setup-error.ts';

const USAGE = `Manages the people and the programs that operate a deployment.

  npm run operator -- invite --email EMAIL --mobile MOBILE [--name 'FULL NAME']
      Prints the link that the operator opens to accept. The service sends the codes by e-mail and SMS.
  npm run operator -- list
  npm run operator -- remove --email EMAIL
  npm run -s operator -- credential --name NAME
      Prints the id and the secret of a client for a program. The secret is shown only once.

The commands write to the directory. They read LIBSQL_DIRECTORY, LIBSQL_SHARDS and BASE_URL, and for a credential also
DEPLOYMENT and CREDENTIAL_KEYS, as the service has them.`;

const own = environment.pick({ BASE_URL: true });
const secrets = environment.pick({ DEPLOYMENT: true, CREDENTIAL_KEYS: true });

async function runFromCommandLine(): Promise<void> {
  const option = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    options: { email: option, mobile: option, name: option },
    allowPositionals: true,
  });
  const { email, mobile, name } = values;
  const [action] = positionals;
  if (action === 'invite' && email !== undefined && mobile !== undefined) {
    const { BASE_URL } = read(own, process.env);
    const id = await inviteOperator(await directoryOf(), { email, mobile, fullName: name ?? email });
    console.log(`The invitation for ${email}: ${BASE_URL}/operations/accept/${id}`);
  } else if (action === 'list') {
    for (const { email: address, fullName, mobile: phone, hasAccepted } of await listOperators(await directoryOf()))
      console.log([address, phone, hasAccepted ? 'accepted' : 'invited', fullName].join('  '));
  } else if (action === 'remove' && email !== undefined) {
    await removeOperator(await directoryOf(), email);
    console.log(`${email} is no operator any more.`);
  } else if (action === 'credential' && name !== undefined) {
    const { DEPLOYMENT, CREDENTIAL_KEYS } = read(secrets, process.env);
    const [credentialKey] = CREDENTIAL_KEYS;
    console.log(
      JSON.stringify(await createProgram(await directoryOf(), { name, deployment: DEPLOYMENT, credentialKey })),
    );
  } else {
    throw new SetupError(USAGE);
  }
}

async function directoryOf() {
  const directory = requireDatabases(process.env).find(({ kind }) => kind === 'directory');
  if (directory === undefined) throw new SetupError("Set LIBSQL_DIRECTORY to the service's value.");
  await requireIdentity(directory);
  return directory;
}

function read<Value>(schema: z.ZodType<Value>, variables: NodeJS.ProcessEnv): Value {
  const parsed = schema.safeParse(variables);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new SetupError(`Set these variables to the service's values. ${faults.join('; ')}`);
}

if (isCommand(import.meta.filename)) await runFromCommandLine().catch(failWith);
