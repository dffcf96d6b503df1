import { mergeOrFail } from '../rewrite/rules/all-of-rules.ts';
import { describe, drop } from '../rewrite/rules/basic-rules.ts';
import { keepFormats } from '../rewrite/rules/bound-rules.ts';
import { giveTextItems } from '../rewrite/rules/list-rules.ts';
import { closeObjects, requireAll } from '../rewrite/rules/object-rules.ts';
import { openAsText } from '../rewrite/rules/open-value-rules.ts';
import { referToDefinitions } from '../rewrite/rules/reference-rules.ts';
import { keepDistributed, oneOfAsAnyOf } from '../rewrite/rules/union-rules.ts';
import { asJsonTexts } from '../rewrite/rules/value-rules.ts';
import type { RuleTable, Target } from '../rewrite/rule.ts';
import { loose } from './openai.ts';

/** `uri` is refused by the API. */
export const STRICT_FORMATS = [
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
] as const;

const rules: RuleTable = {
  ...loose,
  rootAllOf: mergeOrFail,
  anyOf: keepDistributed,
  oneOf: oneOfAsAnyOf,
  allOf: mergeOrFail,
  logic: describe,
  reference: referToDefinitions,
  optional: requireAll,
  additionalSchema: closeObjects,
  applicators: describe,
  missingItems: giveTextItems,
  prefixItems: describe,
  format: keepFormats(STRICT_FORMATS),
  lengths: describe,
  uniqueItems: describe,
  propertyCounts: describe,
  objectValues: asJsonTexts,
  default: describe,
  examples: describe,
  marks: describe,
  unknown: drop,
  openValue: openAsText,
};

/** With `strict`, the provider holds the model to the schema, and refuses what it cannot hold it to. */
export const openaiStrict: Target = Object.freeze<Target>({
  name: 'openai-strict',
  rules,
  plainRoot: true,
  anyPointer: false,
});
