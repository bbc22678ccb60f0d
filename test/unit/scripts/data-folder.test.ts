import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { claimDataFolder, emptyDataFolder } from '../../../scripts/dev/data-folder.ts';
import {
  linkVariables,
  readDemo,
  readOrMakeSecrets,
  writeDemo,
  writeVariables,
} from '../../../scripts/shared/local-files.ts';
import { choosePorts } from '../../../scripts/shared/ports.ts';
import { findProcess, markOf } from '../../../scripts/shared/processes.ts';

let parent = '';
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'mirsal-data-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const noLog = () => undefined;

describe('claimDataFolder', () => {
  test('refuses a folder that it did not create, and changes nothing in it', async () => {
    writeFileSync(join(parent, 'precious'), 'mine');
    await expect(claimDataFolder(parent, noLog)).rejects.toThrow(/contains other files .*; choose another folder/);
    await expect(claimDataFolder(join(parent, 'precious'), noLog)).rejects.toThrow(/cannot be used as data folder/);
    expect(readFileSync(join(parent, 'precious'), 'utf8')).toBe('mine');
  });

  test('refuses a folder that a running process has claimed, until it is released', async () => {
    const folder = await claimDataFolder(join(parent, 'data'), noLog);
    await expect(claimDataFolder(folder.path, noLog)).rejects.toThrow(`Process ${process.pid} uses ${folder.path}`);
    folder.release();
    await expect(claimDataFolder(folder.path, noLog)).resolves.toMatchObject({ path: folder.path });
  });

  test('deletes only its own contents', async () => {
    const folder = await claimDataFolder(parent, noLog);
    mkdirSync(join(parent, 'shard-1', 'dbs'), { recursive: true });
    writeFileSync(join(parent, 'local.json'), '{}');
    writeFileSync(join(parent, 'notes.txt'), 'mine');
    emptyDataFolder(folder);
    expect(existsSync(join(parent, 'shard-1'))).toBe(false);
    expect(existsSync(join(parent, 'local.json'))).toBe(false);
    expect(existsSync(join(parent, 'notes.txt'))).toBe(true);
  });

  test('ends recorded children of a killed run, but no other process with a reused id', async () => {
    const folder = await claimDataFolder(parent, noLog);
    const [child, other] = [sleeper(), sleeper()];
    folder.recordChild('sqld of shard-1', child);
    folder.recordChild('the API', other);
    const ledger = JSON.parse(readFileSync(join(parent, 'processes.json'), 'utf8'));
    ledger.owner.startedAt = 'before';
    ledger.children[1].startedAt = 'before';
    writeFileSync(join(parent, 'processes.json'), JSON.stringify(ledger));
    const notes: string[] = [];
    await claimDataFolder(parent, (line) => notes.push(line));
    expect(notes).toEqual([`stopped sqld of shard-1 (${child}) of an earlier run that was killed`]);
    expect(findProcess(child)).toBeUndefined();
    expect(markOf(other)).toBeDefined();
  });
});

describe('secrets', () => {
  test('stay the same across restarts, readable by their owner only', async () => {
    const file = join(parent, '.dev.vars');
    const made = await readOrMakeSecrets(file);
    writeVariables(file, { BASE_URL: 'http://127.0.0.1:1', ...made });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(parseEnv(readFileSync(file, 'utf8'))).toEqual({ BASE_URL: 'http://127.0.0.1:1', ...made });
    expect(await readOrMakeSecrets(file)).toEqual(made);
  });

  test.each([
    // The last character has bits set that base64url requires to be zero.
    ['CREDENTIAL_KEYS', JSON.stringify([`${'A'.repeat(42)}B`])],
    ['WEBHOOK_KEYS', JSON.stringify([{ kid: 'two words', key: 'A'.repeat(43) }])],
  ])('are replaced if the service would refuse them: %s', async (name, refused) => {
    const file = join(parent, '.dev.vars');
    writeVariables(file, { ...(await readOrMakeSecrets(file)), [name]: refused });
    expect(await readOrMakeSecrets(file)).not.toHaveProperty(name, refused);
  });

  test('are replaced if they are invalid', async () => {
    const file = join(parent, '.dev.vars');
    const made = await readOrMakeSecrets(file);
    writeVariables(file, { ...made, CREDENTIAL_KEYS: '[]', CURSOR_KEYS: 'not JSON' });
    const mended = await readOrMakeSecrets(file);
    expect(mended.TOKEN_SIGNING_KEYS).toBe(made.TOKEN_SIGNING_KEYS);
    expect(JSON.parse(mended.CREDENTIAL_KEYS)).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
    expect(JSON.parse(mended.CURSOR_KEYS)).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  });

  test('are not written if they would be read back differently', () => {
    expect(() => writeVariables(join(parent, '.dev.vars'), { NAME: 'a$b' })).toThrow(/NAME cannot be written/);
  });
});

describe('the variables that plain wrangler dev reads', () => {
  test('are those of a run until it ends, also after a run that was killed', () => {
    const [file, link] = [join(parent, 'run.vars'), join(parent, '.dev.vars')];
    writeVariables(file, { NAME: 'first' });
    linkVariables(file, link);
    writeVariables(file, { NAME: 'second' });
    const unlink = linkVariables(file, link);
    expect(readFileSync(link, 'utf8')).toBe("NAME='second'\n");
    unlink();
    expect([existsSync(link), existsSync(file)]).toEqual([false, true]);
  });

  test('are left alone if somebody wrote them by hand', () => {
    const link = join(parent, '.dev.vars');
    writeFileSync(link, 'NAME=mine');
    expect(() => linkVariables(join(parent, 'run.vars'), link)).toThrow(/is a file of your own; move it away/);
    expect(readFileSync(link, 'utf8')).toBe('NAME=mine');
  });
});

test('local.json is read back as written, and anything else is ignored', () => {
  const file = join(parent, 'local.json');
  const client = { clientId: 'mcl_1', clientSecret: 'msk_test_1' };
  const company = { companyId: 'id', name: 'name', branchCode: 'B', pickupLocationCode: 'P', ...client };
  writeDemo(file, 'http://127.0.0.1:1', { companies: [company], operator: client });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ baseUrl: 'http://127.0.0.1:1' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readDemo(file)).toEqual({ companies: [company], operator: client });
  writeFileSync(file, '{"companies":');
  expect(readDemo(file)).toBeUndefined();
});

test('six different ports are chosen, usually the same ones each time', async () => {
  const ports = await choosePorts(8787, 6);
  expect(new Set(ports).size).toBe(6);
  expect(ports).not.toContain(8787);
});

/** The pid of a process group leader, as a run starts its children. */
function sleeper(): number {
  const child = spawn('sleep', ['60'], { detached: true });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child.pid ?? 0;
}
