import type { IconOptions } from '../../metadata/options.ts';
import type { ServerCardOptions } from './card-options.ts';
import type { ServerCard } from './server-card.ts';

declare module '../../kernel/call/states.ts' {
  interface States {
    /** Undefined without the option `card`. */
    readonly 'server-card'?: ServerCard;
  }
}

declare module '../../runtime/runtime-facet.ts' {
  interface OptionGroups {
    readonly card?: ServerCardOptions | undefined;
    readonly name?: string | undefined;
    readonly version?: string | undefined;
    readonly icons?: readonly IconOptions[] | undefined;
  }
}
