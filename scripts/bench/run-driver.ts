import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type * as z from 'zod';

/** How a driver is heard: the shape of its answer, and how long it may take for it. */
export interface Hearing<Answer> {
  readonly shape: z.ZodType<Answer>;
  readonly timeoutMs: number;
}

/** Runs a driver in a process of its own: one JSON line in, one JSON line out. Rejects when it fails or does not end in time. */
export async function runDriver<Answer>(
  scriptUrl: string,
  order: unknown,
  { shape, timeoutMs }: Hearing<Answer>,
): Promise<Answer> {
  const script = fileURLToPath(scriptUrl);
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const end = () => child.kill('SIGKILL');
  const timeout = setTimeout(end, timeoutMs);
  process.once('exit', end);
  try {
    const output: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
    child.stdin.end(JSON.stringify(order));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code !== 0) throw new Error(`${script} ended with ${code}`);
    return shape.parse(JSON.parse(output.join('')));
  } finally {
    clearTimeout(timeout);
    process.removeListener('exit', end);
  }
}
