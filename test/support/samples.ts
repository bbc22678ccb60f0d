import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDF, PICTURE } from './files.ts';

/** The result of a sample, with the statuses of its requests in order. */
export interface SampleResult {
  readonly exitCode: number | null;
  readonly statuses: readonly number[];
  readonly output: string;
  readonly errors: string;
}

export type Variables = Readonly<Record<string, string>>;

const ROOT = join(import.meta.dirname, '..', '..');
const RECORDER = new URL('./record-statuses.ts', import.meta.url).href;
/** Longer than any request should take. */
const TIMEOUT_MS = 25_000;

/** A folder as a reader has it: files to upload, and a curl configuration that prints statuses. */
export interface SampleFolder {
  readonly path: string;
  /** How long a program may take here, if that is longer than usual. */
  readonly timeoutMs?: number;
  remove(): void;
}

export function newSampleFolder(): SampleFolder {
  const path = mkdtempSync(join(tmpdir(), 'mirsal-samples-'));
  writeFileSync(join(path, 'document.pdf'), PDF);
  writeFileSync(join(path, 'document.jpeg'), PICTURE);
  const settings = ['silent', 'show-error', 'max-time = 20', String.raw`write-out = "%{stderr}status %{http_code}\n"`];
  installClient(path);
  writeFileSync(join(path, '.curlrc'), `${settings.join('\n')}\n`);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The client as a package. It is linked from outside `node_modules`, where Node would not run TypeScript. */
function installClient(path: string): void {
  const source = join(path, 'client');
  mkdirSync(source);
  mkdirSync(join(path, 'node_modules'));
  writeFileSync(join(source, 'package.json'), '{"name":"mirsal-client","type":"module","exports":"./index.ts"}');
  writeFileSync(join(source, 'index.ts'), `export * from ${JSON.stringify(join(ROOT, 'src', 'client.ts'))};\n`);
  symlinkSync(source, join(path, 'node_modules', 'mirsal-client'), 'dir');
}

/** Runs commands in a real shell, which stops at the first failure. */
export function runShell(commands: string, variables: Variables, folder: SampleFolder): Promise<SampleResult> {
  const { path: cwd, timeoutMs } = folder;
  return run('sh', ['-eu', '-c', commands], { cwd, timeoutMs, variables: { ...variables, CURL_HOME: cwd } });
}

/** Runs a TypeScript program unchanged in Node. */
export function runTypeScript(program: string, variables: Variables, folder: SampleFolder): Promise<SampleResult> {
  const args = ['--import', RECORDER, '--input-type=module-typescript', '--eval', program];
  // Every program loads the same client.
  const cache = { NODE_COMPILE_CACHE: join(folder.path, 'compiled') };
  return run(process.execPath, args, { cwd: folder.path, variables: { ...cache, ...variables } });
}

/** Runs a program of another language. */
export function runProgram(
  program: string,
  args: readonly string[],
  variables: Variables,
  folder: SampleFolder,
): Promise<SampleResult> {
  return run(program, args, { cwd: folder.path, variables });
}

interface Surroundings {
  readonly cwd: string;
  readonly timeoutMs?: number | undefined;
  readonly variables: Variables;
}

/** Runs a program to its end, with PATH as its only inherited variable. */
function run(
  program: string,
  args: readonly string[],
  { cwd, variables, timeoutMs = TIMEOUT_MS }: Surroundings,
): Promise<SampleResult> {
  const { promise, resolve, reject } = Promise.withResolvers<SampleResult>();
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, ...variables };
  const child = spawn(program, args, { cwd, env, timeout: timeoutMs, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors] = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    return () => Buffer.concat(chunks).toString();
  });
  child.on('error', reject);
  child.on('close', (exitCode) => {
    const said = errors?.() ?? '';
    const statuses = [...said.matchAll(/^status (\d+)$/gm)].map(([, status]) => Number(status));
    resolve({ exitCode, statuses, output: output?.() ?? '', errors: said });
  });
  return promise;
}
