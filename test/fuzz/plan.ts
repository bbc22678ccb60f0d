import type { Sample } from '../support/exercises/scene.ts';
import { Chance } from './chance.ts';
import { conformingTo } from './conforming.ts';
import { DESCRIBED, type Described, describedAs } from './document.ts';
import { leaf, type ObjectTree, type Tree, treeOf } from './json-tree.ts';
import { ODD_URLS } from './odd-values.ts';
import { type RequestDraft, setHeader } from './request-draft.ts';
import { bufferOf, spoilText, spoilTree, TEXT_FAULTS, TREE_FAULTS } from './spoil-body.ts';
import { REQUEST_FAULTS, spoilRequest } from './spoil-request.ts';
import type { Supply } from './supply.ts';

/** The number of faults in a request, by weight. */
const FAULTS = { '0': 15, '1': 50, '2': 25, '3': 10 } as const;
/** Of a validation, which a creation follows: half of them should be accepted. */
const FAULTS_OF_VALIDATION = { '0': 60, '1': 30, '2': 10 } as const;
const KINDS = { tree: 55, text: 15, request: 30 } as const;

/** What decides the requests. */
export interface Choice {
  readonly seed: number;
  /** The only operations that requests are for. */
  readonly operations?: readonly string[] | undefined;
}

/** The operation that a request of the seed is for. */
export function describedAt({ seed, operations }: Choice, index: number): Described {
  return new Chance(seed, index).oneOf(operations === undefined ? DESCRIBED : operations.map(describedAs));
}

/** A request of the seed: a valid one with up to three faults. Only ids and times differ between runs. */
export function draftAt(choice: Choice, index: number, { samples, finds }: Supply): RequestDraft {
  const { seed } = choice;
  const chance = new Chance(seed, index);
  chance.roll();
  const operation = describedAt(choice, index);
  const sample = chance.oneOf(samples.get(operation.name) ?? []);
  const draft = draftOf(operation, sample);
  const tree = treeFor(operation, sample, chance);
  if (tree !== undefined) refresh(tree, draft, `fuzz-${seed}-${index}-${sample.path.length}`, chance);
  const faults: Partial<Record<string, number>> =
    operation.name === 'shipmentValidations.create' ? FAULTS_OF_VALIDATION : FAULTS;
  const wrong = Array.from({ length: Number(chance.pick(faults)) }, () =>
    tree === undefined ? 'request' : chance.pick(KINDS),
  );
  const spoil = (faults: readonly string[], apply: (fault: string) => void) => {
    const fault = chance.oneOf(faults);
    draft.spoilt.push(fault);
    apply(fault);
  };
  let spoilt = tree;
  for (const _ of wrong.filter((kind) => kind === 'tree'))
    spoil(TREE_FAULTS, (fault) => {
      spoilt = spoilt === undefined ? undefined : spoilTree(spoilt, fault, chance);
    });
  if (spoilt !== undefined) draft.body = bufferOf(spoilt);
  for (const _ of wrong.filter((kind) => kind === 'text'))
    spoil(TEXT_FAULTS, (fault) => {
      draft.body = spoilText(draft.body?.toString('utf8') ?? '', fault, chance);
    });
  for (const _ of wrong.filter((kind) => kind === 'request'))
    spoil(REQUEST_FAULTS, (fault) => spoilRequest(draft, fault, chance, finds));
  return draft;
}

/** The sample as a request without faults. */
export function draftOf(operation: Described, { method, path, headers, body }: Sample): RequestDraft {
  const [pathname = '', query = ''] = path.split('?');
  return {
    operation,
    method,
    segments: pathname.slice(1).split('/'),
    query: [...new URLSearchParams(query)],
    headers: Object.entries(headers),
    body: typeof body === 'string' ? Buffer.from(body, 'latin1') : body && Buffer.from(body),
    isCut: false,
    spoilt: [],
  };
}

/** The sample's body, or one that conforms to the document and keeps some members of the sample. */
function treeFor({ body: schema }: Described, { body }: Sample, chance: Chance): Tree | undefined {
  if (schema === undefined || typeof body !== 'string') return undefined;
  const good = treeOf(JSON.parse(body));
  const made = conformingTo(schema, chance);
  if (chance.once(3) || made.kind !== 'object' || good.kind !== 'object') return good;
  // With most of its members a request is nearly valid, so that rules about several of them are reached.
  const lostOnceIn = chance.oneOf([3, 40]);
  const kept = good.members.filter(([name]) => name === 'url' || !chance.once(lostOnceIn));
  const others = made.members.filter(([name]) => name !== 'url' && !kept.some(([other]) => other === name));
  if (!kept.some(([name]) => name === 'url') && made.members.some(([name]) => name === 'url'))
    others.push(['url', leaf(JSON.stringify(ODD_URLS[0]))]);
  return { kind: 'object', members: [...kept, ...others] };
}

/** Mostly makes the creation a new one. Sometimes it stays a replay of the sample. */
function refresh(tree: Tree, draft: RequestDraft, unique: string, chance: Chance): void {
  if (tree.kind !== 'object' || chance.once(4)) return;
  const reference = memberOf(tree, 'externalReference');
  if (reference === undefined) return;
  if (chance.once(2)) reference[1] = leaf(JSON.stringify(unique));
  setHeader(draft, 'Idempotency-Key', unique.padEnd(16, '-'));
}

function memberOf(tree: ObjectTree, name: string): [string, Tree] | undefined {
  return tree.members.find(([other]) => other === name);
}
