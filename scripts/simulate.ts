import { parseArgs } from 'node:util';
import { runWorld } from '../test/simulation/run-world.ts';
const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' }, steps: { type: 'string', default: '20000' } } });
const t = performance.now();
const end = await runWorld({ seed: Number(values.seed) }, Number(values.steps));
const ms = performance.now() - t;
if (end.failure) { for (const l of end.failure.last) console.log(l); console.log(end.failure.error); }
console.log({ ...end, failure: end.failure && String(end.failure.error), ms, us: ms * 1000 / end.steps });
