import type { ServedContext } from './service-request.ts';

/** Members of the context of a call, by their names. */
export type ContextMembers = Readonly<Record<string, (request: ServedContext) => unknown>>;

/** What the features of an application keep from call to call, by their names. Each adds the type of its own. */
export interface States {
  readonly [feature: string]: unknown;
  /** What features add to the context of a call, by the names of its members. */
  readonly members?: ContextMembers;
}

export const NO_STATES: States = Object.freeze({});
