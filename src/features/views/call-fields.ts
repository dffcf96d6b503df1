import type { Views } from './views.ts';

declare module '../../kernel/call/states.ts' {
  interface States {
    /** Undefined where no action has a view. */
    readonly views?: Views;
  }
}

export {};
