import type { BudgetOptions } from './budget.ts';
import type { StoredResults } from './stored-results.ts';

declare module '../../kernel/call/states.ts' {
  interface States {
    /** The results that were too large to be sent; undefined where resources cannot be read. */
    readonly budgets?: StoredResults;
  }
}

declare module '../../runtime/runtime-facet.ts' {
  interface LimitGroup {
    readonly budget?: BudgetOptions;
    readonly countTokens?: (text: string) => number;
  }
}
