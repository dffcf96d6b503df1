import type { NameRule } from '../../shared/name-rule.ts';
import { keepDistributed, keepInlined, oneOfAsAnyOf } from '../rewrite/rules/composition-rules.ts';
import { closeObjects } from '../rewrite/rules/object-rules.ts';
import { openAsText } from '../rewrite/rules/open-value-rules.ts';
import { referToDefinitions, refuseRecursive } from '../rewrite/rules/reference-rules.ts';
import { describe, drop, keep, type RuleTable, type Target } from '../rewrite/rules/rule.ts';
import { asJsonTexts, keepFormats, keepWithoutType, minItemsToOne } from '../rewrite/rules/value-rules.ts';
import { loose, STRICT_FORMATS } from './openai.ts';

/** Properties of the root, only there. */
const ANTHROPIC_KEYS: NameRule = Object.freeze({ forbidden: /[^A-Za-z0-9_.-]/u, maxLength: 64 });

const looseRules: RuleTable = { ...loose, rootValue: keep };

export const anthropic: Target = Object.freeze<Target>({
  name: 'anthropic',
  rules: looseRules,
  plainRoot: true,
  anyPointer: true,
  keys: { rule: ANTHROPIC_KEYS, at: 'root' },
});

const strictRules: RuleTable = {
  ...loose,
  anyOf: keepDistributed,
  oneOf: oneOfAsAnyOf,
  allOf: keepInlined,
  logic: describe,
  reference: referToDefinitions,
  recursion: refuseRecursive,
  additionalSchema: closeObjects,
  applicators: describe,
  prefixItems: describe,
  pattern: describe,
  format: keepFormats([...STRICT_FORMATS, 'uri']),
  bounds: describe,
  exclusiveBounds: describe,
  multipleOf: describe,
  lengths: describe,
  minItems: minItemsToOne,
  maxItems: describe,
  uniqueItems: describe,
  propertyCounts: describe,
  enumStrings: keepWithoutType,
  objectValues: asJsonTexts,
  default: describe,
  examples: describe,
  marks: describe,
  unknown: drop,
  openValue: openAsText,
};

/** With `strict`, the provider holds the model to the schema, and refuses what it cannot hold it to. */
export const anthropicStrict: Target = Object.freeze<Target>({
  name: 'anthropic-strict',
  rules: strictRules,
  plainRoot: true,
  anyPointer: false,
  keys: { rule: ANTHROPIC_KEYS, at: 'root' },
});
