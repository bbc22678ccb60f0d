import { realpathSync } from 'node:fs';
import { SetupError } from './setup-error.ts';

/** Whether Node was started with this file, and did not only import it. */
export function isCommand(filename: string): boolean {
  const started = process.argv[1];
  // `import.meta.main` is missing in the oldest Node that the packages bring (24.0).
  return started !== undefined && realpathSync(started) === filename;
}

/** Ends a command-line tool: prints one sentence for an error that the user can fix, the whole error for a bug. */
export function failWith(error: unknown): never {
  const isUsersMatter = error instanceof SetupError || isParseArgsError(error);
  console.error(isUsersMatter ? error.message : error);
  process.exit(1);
}

/**
 * Runs a tool or prints its usage, and exits with 1 if it failed. With `leavesRunning` it does not wait for the processes it
 * has started, which end with it.
 */
export async function runTool<Plan>(tool: {
  readonly usage: string;
  readonly readPlan: () => Plan | undefined;
  readonly run: (plan: Plan) => Promise<boolean>;
  readonly leavesRunning?: true;
}): Promise<void> {
  try {
    const plan = tool.readPlan();
    if (plan === undefined) console.log(tool.usage);
    else process.exitCode = (await tool.run(plan)) ? 0 : 1;
    if (tool.leavesRunning) process.exit();
  } catch (error) {
    failWith(error);
  }
}

function isParseArgsError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}
