import type { Config } from '../../service/config.ts';
import type { LocationHint } from '../../service/environment.ts';

/** A namespace whose objects have these methods. */
export interface RemoteObjects<Methods> {
  getByName(name: string, options?: { readonly locationHint?: LocationHint }): Methods;
  idFromName(name: string): ObjectId;
}

interface ObjectId {
  equals(other: ObjectId): boolean;
}

type Place = Config['place'];

/**
 * The object of this name in the place of the deployment. Cloudflare creates it at its first call, near that call unless it gets a
 * hint, and never moves it: cron and alarms run anywhere. So the place is a part of the name, and another place is another object.
 */
export function objectOf<Methods>(objects: RemoteObjects<Methods>, place: Place, name: string): Methods {
  if (place === undefined) return objects.getByName(name);
  return objects.getByName(placedNameOf(place, name), { locationHint: place.hint });
}

/** Whether the deployment has moved to another place since the object with this name and id was created. */
export function isReplaced(
  objects: Pick<RemoteObjects<unknown>, 'idFromName'>,
  place: Place,
  { name, id }: { readonly name: string; readonly id: ObjectId },
): boolean {
  return !objects.idFromName(placedNameOf(place, name)).equals(id);
}

function placedNameOf(place: Place, name: string): string {
  return place === undefined ? name : `${place.hint}.${place.generation}/${name}`;
}
