import type { NameRule } from '../../shared/name-rule.ts';
import { keep } from '../rewrite/rules/basic-rules.ts';
import type { RuleTable, Target } from '../rewrite/rule.ts';
import { loose } from './openai.ts';

/** Properties of the root, only there. */
export const ANTHROPIC_KEYS: NameRule = Object.freeze({ forbidden: /[^A-Za-z0-9_.-]/u, maxLength: 64 });

const rules: RuleTable = { ...loose, rootValue: keep };

export const anthropic: Target = Object.freeze<Target>({
  name: 'anthropic',
  rules,
  plainRoot: true,
  anyPointer: true,
  keys: { rule: ANTHROPIC_KEYS, at: 'root' },
});
