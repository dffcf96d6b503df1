import type { FindingLevel } from '../output/levels.ts';

/** What was looked at, and what was found there. */
export interface Finding {
  readonly about: string;
  readonly state: 'ok' | FindingLevel;
  readonly found: string;
  readonly fix?: string;
}

/** Where things are looked for. */
export interface Project {
  readonly folder: string;
  /** The file with the application, if one was named. */
  readonly file: string | undefined;
}
