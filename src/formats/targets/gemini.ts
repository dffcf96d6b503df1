import type { NameRule } from '../../shared/name-rule.ts';
import { keepAnyOf, mergeOrDescribe, oneOfAsAnyOf } from '../rewrite/rules/composition-rules.ts';
import { giveTextItems } from '../rewrite/rules/list-rules.ts';
import { dropAdditional } from '../rewrite/rules/object-rules.ts';
import { openAsText, openButObjects } from '../rewrite/rules/open-value-rules.ts';
import { inlineReferences, referToDefinitions, refuseEndless } from '../rewrite/rules/reference-rules.ts';
import { keepRootUnion } from '../rewrite/rules/root-rules.ts';
import { describe, drop, keep, refused, type RuleTable, type Target } from '../rewrite/rules/rule.ts';
import { singleTypes } from '../rewrite/rules/type-rules.ts';
import {
  asStrings,
  constAsEnum,
  constAsString,
  dropButOrdering,
  enumOrNull,
  firstExample,
  inclusiveForIntegers,
  keepBounds,
  keepFormats,
} from '../rewrite/rules/value-rules.ts';
import { loose } from './openai.ts';

/** Properties at every depth. */
const GEMINI_KEYS: NameRule = Object.freeze({
  forbidden: /[^A-Za-z0-9_]/u,
  forbiddenFirst: /^[^A-Za-z_]/u,
  maxLength: 64,
});

const jsonRules: RuleTable = {
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
  rules: jsonRules,
  plainRoot: true,
  anyPointer: false,
  keys: { rule: GEMINI_KEYS, at: 'everywhere' },
});

const openApiRules: RuleTable = {
  ...loose,
  anyOf: keepAnyOf,
  oneOf: oneOfAsAnyOf,
  allOf: mergeOrDescribe,
  logic: describe,
  reference: inlineReferences,
  recursion: refused,
  typeArray: singleTypes,
  nullable: keep,
  additionalSchema: dropAdditional,
  additionalFalse: drop,
  applicators: describe,
  missingItems: giveTextItems,
  prefixItems: describe,
  format: keepFormats(['date-time', 'enum', 'int32', 'int64', 'float', 'double']),
  bounds: keepBounds,
  exclusiveBounds: inclusiveForIntegers,
  multipleOf: describe,
  uniqueItems: describe,
  enumNumbers: asStrings,
  enumBooleans: asStrings,
  objectValues: describe,
  constString: constAsEnum,
  constNumber: constAsString,
  constBoolean: constAsString,
  examples: firstExample,
  marks: drop,
  unknown: dropButOrdering,
  openValue: openAsText,
};

/** The field `parameters`: a schema of OpenAPI 3.0, in part. */
export const geminiOpenApi: Target = Object.freeze<Target>({
  name: 'gemini-openapi',
  rules: openApiRules,
  plainRoot: true,
  anyPointer: false,
  keys: { rule: GEMINI_KEYS, at: 'everywhere' },
});
