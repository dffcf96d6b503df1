/** What was looked at, and what was found there. */
export interface Finding {
  readonly about: string;
  /** `advice` works, and could be better; `problem` does not work, or will not. */
  readonly state: 'ok' | 'advice' | 'problem';
  readonly found: string;
  readonly fix?: string;
}

/** Where things are looked for. */
export interface Project {
  readonly folder: string;
  /** The file with the application, if one was named. */
  readonly file: string | undefined;
}
