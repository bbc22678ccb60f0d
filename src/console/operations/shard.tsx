import type { ComponentChildren } from 'preact';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, navigate } from '../../ui/browser/base/navigation.tsx';
import { Choice } from '../../ui/browser/kit/field.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';

const TEXTS = { en: { shard: 'Shard' }, ar: { shard: 'شريحة البيانات' } };

/** Shards are added by a deployment, so one answer is enough for a page. */
let known: readonly string[] | undefined;

/** The names of the shards. */
export async function loadShards(): Promise<readonly string[]> {
  if (known !== undefined) return known;
  const { databases } = await service.operations.status.query({});
  known = databases.filter(({ kind }) => kind === 'SHARD').map(({ database }) => database);
  return known;
}

interface InShardProps {
  /** The shard in the address. Without one, the first is shown. */
  readonly named: string | null;
  readonly children: (shard: string, shards: readonly string[]) => ComponentChildren;
}

/** Loads the names of the shards, and shows its children for one of them. The fleet belongs to a shard. */
export function InShard({ named, children }: InShardProps) {
  const loaded = useLoaded('shards', loadShards);
  return (
    <WhenLoaded loaded={loaded}>
      {(shards) => {
        const shard = shards.find((one) => one === named) ?? shards[0];
        return shard === undefined ? null : children(shard, shards);
      }}
    </WhenLoaded>
  );
}

interface ShardChoiceProps {
  readonly path: string;
  readonly shard: string;
  readonly shards: readonly string[];
}

/** Switches to another shard. A deployment with one shard needs no choice. */
export function ShardChoice({ path, shard, shards }: ShardChoiceProps) {
  if (shards.length < 2) return null;
  return (
    <Choice
      label={textsOf(TEXTS).shard}
      value={shard}
      options={shards.map((value) => ({ value, label: value }))}
      onChange={(value) => navigate(addressOf(path, { shard: value }))}
    />
  );
}
