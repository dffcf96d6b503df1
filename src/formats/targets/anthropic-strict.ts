import { keepInlined } from '../rewrite/rules/all-of-rules.ts';
import { describe, drop } from '../rewrite/rules/basic-rules.ts';
import { keepFormats, minItemsToOne } from '../rewrite/rules/bound-rules.ts';
import { closeObjects } from '../rewrite/rules/object-rules.ts';
import { openAsText } from '../rewrite/rules/open-value-rules.ts';
import { referToDefinitions, refuseRecursive } from '../rewrite/rules/reference-rules.ts';
import { keepDistributed, oneOfAsAnyOf } from '../rewrite/rules/union-rules.ts';
import { asJsonTexts, keepWithoutType } from '../rewrite/rules/value-rules.ts';
import type { RuleTable, Target } from '../rewrite/rule.ts';
import { ANTHROPIC_KEYS } from './anthropic.ts';
import { loose } from './openai.ts';
import { STRICT_FORMATS } from './openai-strict.ts';

const rules: RuleTable = {
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
  rules,
  plainRoot: true,
  anyPointer: false,
  keys: { rule: ANTHROPIC_KEYS, at: 'root' },
});
