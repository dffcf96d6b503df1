import { createSchemaValidator } from '../../../../formats/index.ts';
import { CompileBudget } from '../compile-budget.ts';
import { PatternCache } from '../compile-pattern.ts';
import type { RuleCompiler } from './rule-kind.ts';

/** For the criteria of one document: all of them together have one budget. */
export function createRuleCompiler(): RuleCompiler {
  return { patterns: new PatternCache(), schemas: createSchemaValidator(), budget: new CompileBudget() };
}
