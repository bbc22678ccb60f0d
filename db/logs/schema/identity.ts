/** Who the database is: see `identity.ts` two folders above. */
export { databaseIdentity } from '../../identity-table.ts';
