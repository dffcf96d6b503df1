import type { Limits } from './limits.ts';

declare module '../../kernel/call/call.ts' {
  interface Call {
    /** Those of the application that serves the call. */
    limits: Limits;
  }
}
