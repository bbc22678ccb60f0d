import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { startChild } from '../../../scripts/shared/child-group.ts';
import { groupMembers } from '../../../scripts/shared/processes.ts';
import { until } from '../../../scripts/shared/until.ts';

test('ends grandchildren that their parent leaves behind', async () => {
  // The shell ends at SIGTERM and does not pass it on.
  const child = startChild({
    command: '/bin/sh',
    args: ['-c', 'sleep 60 & echo started; wait'],
    cwd: tmpdir(),
    env: {},
  });
  await until('the shell has started its child', () => (child.lastLines().includes('started') ? true : undefined));
  expect(groupMembers(child.pid)).toHaveLength(2);
  await child.stop();
  expect(groupMembers(child.pid)).toEqual([]);
  expect(await child.exited).toBe('SIGTERM');
});
