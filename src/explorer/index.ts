import { openExplorer as open } from './explorer.ts';

/** What `listen({ explorer: true })` loads by this name. It is for applications to call, so it has no type of its own. */
export const openExplorer: unknown = open;
