import { keep, refused } from '../rewrite/rules/basic-rules.ts';
import { ROW_IDS, type RowId } from '../rewrite/rows.ts';
import type { Rule, RuleTable, Target } from '../rewrite/rule.ts';

/** Everything stays as it is; only what no tool may refer to is refused. */
const rules = {
  ...(Object.fromEntries(ROW_IDS.map((id) => [id, keep])) as Record<RowId, Rule>),
  externalReference: refused,
} satisfies RuleTable;

export const mcp: Target = Object.freeze({ name: 'mcp', rules, plainRoot: false, anyPointer: true });
