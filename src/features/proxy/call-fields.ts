import type { OpenedProxy } from './proxy-definition.ts';

declare module '../../kernel/call/states.ts' {
  interface States {
    /** Undefined where the application offers nothing of other servers. */
    readonly proxy?: readonly OpenedProxy[];
  }
}

export {};
