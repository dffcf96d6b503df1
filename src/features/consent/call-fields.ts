import type { ConsentOptions } from './consent-pages.ts';
import type { Consents } from './consents.ts';
import type { DestructiveOptions } from './destructive.ts';

declare module '../../kernel/call/attempt.ts' {
  interface Attempt {
    /** Who agreed to the call, once it was agreed to. */
    acknowledged?: string;
  }
}

declare module '../../kernel/call/states.ts' {
  interface States {
    /** Keeps what callers confirm. */
    readonly consent?: Consents;
  }
}

declare module '../../runtime/runtime-facet.ts' {
  interface OptionGroups {
    readonly consent?: ConsentOptions | undefined;
  }
  interface ActionGroup {
    readonly destructive?: boolean | DestructiveOptions;
  }
}
