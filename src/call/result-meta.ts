/** The `_meta` key of a result that was stored, and is given again. */
export const REPLAY_META_KEY = 'toolwright/idempotency';
