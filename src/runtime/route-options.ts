import type { Logger } from '../call/logger.ts';

/** What an application or registry decides for all its calls. */
export interface RouteOptions {
  /** Replaces the text of errors that were not declared for clients by a reference id. */
  readonly maskErrors: boolean;
  /** Gets the whole of every error that a handler threw; undefined logs nothing. */
  readonly logger: Logger | undefined;
}
