import type { ClientResults } from './client-results.ts';

declare module '../../kernel/call/states.ts' {
  interface States {
    /** How results are made for clients; undefined without an application. */
    readonly 'client-results'?: ClientResults;
  }
}
