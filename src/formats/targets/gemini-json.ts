import { mergeOrDescribe } from '../rewrite/rules/all-of-rules.ts';
import { describe, drop, keep } from '../rewrite/rules/basic-rules.ts';
import { dropButOrdering, inclusiveForIntegers, keepBounds } from '../rewrite/rules/bound-rules.ts';
import { giveTextItems } from '../rewrite/rules/list-rules.ts';
import { openButObjects } from '../rewrite/rules/open-value-rules.ts';
import { referToDefinitions, refuseEndless } from '../rewrite/rules/reference-rules.ts';
import { keepRootUnion } from '../rewrite/rules/root-rules.ts';
import { constAsEnum, enumOrNull } from '../rewrite/rules/value-rules.ts';
import type { RuleTable, Target } from '../rewrite/rule.ts';
import { GEMINI_KEYS } from './gemini-openapi.ts';
import { loose } from './openai.ts';

const rules: RuleTable = {
  ...loose,
  rootUnion: keepRootUnion,
  rootAllOf: keep,
  oneOf: keep,
  allOf: mergeOrDescribe,
  logic: describe,
  reference: referToDefinitions,
  recursion: refuseEndless,
  applicators: describe,
  missingItems: giveTextItems,
  pattern: describe,
  bounds: keepBounds,
  exclusiveBounds: inclusiveForIntegers,
  multipleOf: describe,
  lengths: describe,
  uniqueItems: describe,
  propertyCounts: describe,
  enumStrings: enumOrNull,
  enumBooleans: describe,
  objectValues: describe,
  constString: constAsEnum,
  constNumber: constAsEnum,
  constBoolean: describe,
  default: describe,
  examples: drop,
  marks: drop,
  unknown: dropButOrdering,
  openValue: openButObjects,
};

/** The field `parametersJsonSchema`: JSON Schema, in part. */
export const geminiJson: Target = Object.freeze<Target>({
  name: 'gemini-json',
  rules,
  plainRoot: true,
  anyPointer: false,
  keys: { rule: GEMINI_KEYS, at: 'everywhere' },
});
