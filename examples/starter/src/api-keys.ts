import type { ApiKey } from 'toolwright/auth';

/** Whose keys count, by the hashes of the keys. `npm run key` makes a key and its hash; the key itself is kept nowhere. */
export const keys = new Map<string, ApiKey>([
  // ['the hash of a key', { clientId: 'my-editor' }],
]);
