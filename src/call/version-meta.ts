/** The `_meta` key of a call that says which versions it takes, and of a listed tool that says which ones there are. */
export const VERSIONS_META_KEY = 'toolwright/versions';

/** The `_meta` key of a result that carries the version of the action that ran. */
export const VERSION_META_KEY = 'toolwright/version';

/** The `_meta` key of a result for the deprecation of its action. */
export const DEPRECATED_META_KEY = 'toolwright/deprecated';

/**
 * Which versions of actions a call takes, as npm ranges: one for whichever action is called, or one for each key.
 * Actions that it does not name run in the version that is listed.
 */
export type VersionConstraints = string | Readonly<Record<string, string>>;
