import {
  keepDistributed,
  mergeOrDescribe,
  mergeOrFail,
  oneOfAsAnyOf,
} from '../rewrite/rules/composition-rules.ts';
import { giveAnyItems, giveTextItems, keepWithoutItems } from '../rewrite/rules/list-rules.ts';
import { closeObjects, requireAll } from '../rewrite/rules/object-rules.ts';
import { keepOpen, openAsText } from '../rewrite/rules/open-value-rules.ts';
import { keepReferences, referToDefinitions } from '../rewrite/rules/reference-rules.ts';
import { uniteRoot } from '../rewrite/rules/root-rules.ts';
import { describe, drop, keep, refused, remove, type RuleTable, type Target } from '../rewrite/rules/rule.ts';
import { nullableAsType } from '../rewrite/rules/type-rules.ts';
import { asJsonTexts, keepFormats } from '../rewrite/rules/value-rules.ts';

/** What is passed on as it is: any schema whose root is a plain object. */
export const loose: RuleTable = {
  rootUnion: uniteRoot,
  rootAllOf: mergeOrDescribe,
  rootValue: describe,
  anyOf: keep,
  oneOf: keep,
  allOf: keep,
  logic: keep,
  reference: keepReferences,
  recursion: keep,
  externalReference: refused,
  typeArray: keep,
  nullable: nullableAsType,
  optional: keep,
  additionalSchema: keep,
  additionalFalse: keep,
  applicators: keep,
  missingItems: keepWithoutItems,
  prefixItems: keep,
  pattern: keep,
  format: keep,
  bounds: keep,
  exclusiveBounds: keep,
  multipleOf: keep,
  lengths: keep,
  minItems: keep,
  maxItems: keep,
  uniqueItems: keep,
  propertyCounts: keep,
  enumStrings: keep,
  enumNumbers: keep,
  enumBooleans: keep,
  objectValues: keep,
  constString: keep,
  constNumber: keep,
  constBoolean: keep,
  default: keep,
  texts: keep,
  examples: keep,
  marks: keep,
  identity: remove,
  unknown: keep,
  openValue: keepOpen,
};

/** Without `strict`, the provider refuses a list that does not say what its items are, and little else. */
export const openai: Target = Object.freeze<Target>({
  name: 'openai',
  rules: { ...loose, missingItems: giveAnyItems },
  plainRoot: true,
  anyPointer: true,
});

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

const strictRules: RuleTable = {
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
  rules: strictRules,
  plainRoot: true,
  anyPointer: false,
});
