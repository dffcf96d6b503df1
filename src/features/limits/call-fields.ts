import type { RateLimitOptions } from '../../metadata/rate-options.ts';
import type { LimitStore } from '../../runtime/store/limit-store.ts';
import type { SlotStore } from '../../runtime/store/slot-store.ts';
import type { CountedLimits } from './counted-limits.ts';
import type { LimitState } from './limit-state.ts';
import type { OnStoreFailure } from './store-failures.ts';

declare module '../../kernel/call/states.ts' {
  interface States {
    /** The limits of the application that serves the call. */
    readonly limits?: LimitState;
  }
}

declare module '../../runtime/runtime-facet.ts' {
  interface LimitGroup extends CountedLimits {
    readonly polls?: RateLimitOptions | readonly RateLimitOptions[];
    readonly onStoreFailure?: OnStoreFailure;
  }

  interface Ports {
    /** Counts calls for rates and quotas. */
    readonly counter?: LimitStore | undefined;
    /** Counts calls that run. */
    readonly slots?: SlotStore | undefined;
  }
}
