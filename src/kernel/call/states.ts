/** What the features of an application keep from call to call, by their names. Each adds the type of its own. */
export interface States {
  readonly [feature: string]: unknown;
}

export const NO_STATES: States = Object.freeze({});
