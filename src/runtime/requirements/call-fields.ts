import type { Authorization } from './authorization.ts';
import type { Verdicts } from './verdicts.ts';

declare module '../../kernel/call/authority.ts' {
  interface Authority {
    /** What may be seen; undefined for everything. */
    readonly verdicts: Verdicts | undefined;
    /** Who decides more of it. */
    readonly authorization: Authorization;
  }
}
