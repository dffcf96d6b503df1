import type { PrimitivesAsTools } from './index.ts';

declare module '../../kernel/call/states.ts' {
  interface States {
    /** Undefined where no primitives are listed as tools. */
    readonly 'primitive-tools'?: PrimitivesAsTools;
  }
}

declare module '../../runtime/runtime-facet.ts' {
  interface OptionGroups {
    readonly surface?: unknown;
  }
}
