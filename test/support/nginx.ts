import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startChild } from '../../scripts/shared/child-group.ts';
import { freePort, LOOPBACK } from '../../scripts/shared/ports.ts';
import { hasProgram } from './has-program.ts';

const SHIPPED = readFileSync(resolve(import.meta.dirname, '..', '..', 'docs', 'nginx.conf'), 'utf8');
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

export const hasNginx = () => hasProgram('nginx', '-v');

/**
 * nginx with the configuration that the project ships, in front of two ports of this machine. It turns to the second one
 * while `folder` has a file `b`. `edit` changes the configuration further.
 */
export async function startNginx(
  folder: string,
  [a, b]: readonly [number, number],
  edit: (site: string) => string = (site) => site,
) {
  const port = await freePort();
  const site = SHIPPED.replace('127.0.0.1:8787', `${LOOPBACK}:${a}`)
    .replace('127.0.0.1:8788', `${LOOPBACK}:${b}`)
    .replace('/var/lib/mirsal/b', join(folder, 'b'))
    .replace('listen 8080;', `listen ${LOOPBACK}:${port};`);
  const paths = TEMPORARY.map((name) => `${name}_temp_path ${folder};`);
  // As root the workers would be another user, who may not look into this folder.
  const main = `user root; daemon off; pid ${folder}/pid; events {} http { ${paths.join(' ')} ${edit(site)} }`;
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, main);
  const nginx = startChild({ command: 'nginx', args: ['-e', 'stderr', '-c', file], cwd: folder, env: process.env });
  return { address: `http://${LOOPBACK}:${port}`, stop: () => nginx.stop() };
}
