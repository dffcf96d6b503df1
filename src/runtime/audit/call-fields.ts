import type { RecordedCall } from './audit-log.ts';

declare module '../../kernel/call/call.ts' {
  interface Call {
    /** Set where the call is recorded, or may have to be. */
    audited: RecordedCall | undefined;
  }
}
