import { execFileSync } from 'node:child_process';

/** Whether this machine has a program that the project does not install. Tests that run it are skipped without it. */
export function hasProgram(name: string, versionFlag = '--version'): boolean {
  try {
    execFileSync(name, [versionFlag], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
