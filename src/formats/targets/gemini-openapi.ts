import type { NameRule } from '../../shared/name-rule.ts';
import { mergeOrDescribe } from '../rewrite/rules/all-of-rules.ts';
import { describe, drop, keep, refused } from '../rewrite/rules/basic-rules.ts';
import {
  dropButOrdering,
  firstExample,
  inclusiveForIntegers,
  keepBounds,
  keepFormats,
} from '../rewrite/rules/bound-rules.ts';
import { giveTextItems } from '../rewrite/rules/list-rules.ts';
import { dropAdditional } from '../rewrite/rules/object-rules.ts';
import { openAsText } from '../rewrite/rules/open-value-rules.ts';
import { inlineReferences } from '../rewrite/rules/reference-rules.ts';
import { singleTypes } from '../rewrite/rules/type-rules.ts';
import { keepAnyOf, oneOfAsAnyOf } from '../rewrite/rules/union-rules.ts';
import { asStrings, constAsEnum, constAsString } from '../rewrite/rules/value-rules.ts';
import type { RuleTable, Target } from '../rewrite/rule.ts';
import { loose } from './openai.ts';

/** Properties at every depth. */
export const GEMINI_KEYS: NameRule = Object.freeze({
  forbidden: /[^A-Za-z0-9_]/u,
  forbiddenFirst: /^[^A-Za-z_]/u,
  maxLength: 64,
});

const rules: RuleTable = {
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
  rules,
  plainRoot: true,
  anyPointer: false,
  keys: { rule: GEMINI_KEYS, at: 'everywhere' },
});
