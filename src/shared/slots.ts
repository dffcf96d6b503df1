/** What features keep of one thing, by their names. */
export type Slots = Readonly<Record<string, unknown>>;

export const NO_SLOTS: Slots = Object.freeze({});
