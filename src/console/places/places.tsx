import type { AreaProps } from '../shell/areas.tsx';
import { NoSuchPage } from '../shell/no-such-page.tsx';
import { EditBranchPage, NewBranchPage } from './branch-form-page.tsx';
import { BranchPage } from './branch-page.tsx';
import { BranchesPage } from './branches-page.tsx';
import { LocationPage } from './location-page.tsx';
import { NewLocationPage } from './new-location-page.tsx';

/** Branches and pickup locations. Their codes are upper case, so that no branch is called `new` or `edit`. */
export function Places({ place: { id, part, query } }: AreaProps) {
  if (id === undefined) return <BranchesPage query={query} />;
  if (id === 'new') return part === undefined ? <NewBranchPage /> : <NoSuchPage />;
  if (part === undefined) return <BranchPage branchCode={id} query={query} />;
  if (part === 'edit') return <EditBranchPage branchCode={id} />;
  if (part === 'new') return <NewLocationPage branchCode={id} />;
  return <LocationPage branchCode={id} pickupLocationCode={part} />;
}
