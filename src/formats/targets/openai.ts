import { mergeOrDescribe } from '../rewrite/rules/all-of-rules.ts';
import { describe, keep, refused, remove } from '../rewrite/rules/basic-rules.ts';
import { giveAnyItems, keepWithoutItems } from '../rewrite/rules/list-rules.ts';
import { keepOpen } from '../rewrite/rules/open-value-rules.ts';
import { keepReferences } from '../rewrite/rules/reference-rules.ts';
import { uniteRoot } from '../rewrite/rules/root-rules.ts';
import { nullableAsType } from '../rewrite/rules/type-rules.ts';
import type { RuleTable, Target } from '../rewrite/rule.ts';

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
