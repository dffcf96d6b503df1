import type { CallRecords } from './call-records.ts';
import type { IdempotentOptions } from './idempotent.ts';
import type { KeyClaim } from './keyed-call.ts';

declare module '../../kernel/call/attempt.ts' {
  interface Attempt {
    /** Set where the call runs once for its key. */
    keyed?: KeyClaim;
  }
}

declare module '../../kernel/call/states.ts' {
  interface States {
    /** Which calls have run, of those that run once. */
    readonly idempotency?: CallRecords;
  }
}

declare module '../../runtime/runtime-facet.ts' {
  interface OptionGroups {
    readonly questionTtl?: number;
  }
  interface ActionGroup {
    readonly idempotent?: boolean | IdempotentOptions;
  }
}
