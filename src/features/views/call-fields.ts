import type { ViewPages } from './view-pages.ts';

declare module '../../kernel/call/states.ts' {
  interface States {
    /** Undefined where no action has a view. */
    readonly views?: ViewPages;
  }
}

export {};
