import type { Consents } from './consents.ts';

declare module '../../kernel/call/attempt.ts' {
  interface Attempt {
    /** Keeps what callers confirm; undefined where nothing asks for it. */
    consents?: Consents;
    /** Who agreed to the call, once it was agreed to. */
    acknowledged?: string;
  }
}
