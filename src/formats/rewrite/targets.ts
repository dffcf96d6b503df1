import type { NameRule } from '../../shared/names.ts';
import { ROW_IDS } from './rows.ts';
import {
  keepAnyOf,
  keepDistributed,
  keepInlined,
  mergeOrDescribe,
  mergeOrFail,
  oneOfAsAnyOf,
  uniteRoot,
} from './rules/composition-rules.ts';
import {
  giveAnyItems,
  giveTextItems,
  keepWithoutItems,
  asJsonTexts,
  asStrings,
  constAsEnum,
  constAsString,
  dropButOrdering,
  enumOrNull,
  firstExample,
  inclusiveForIntegers,
  keepBounds,
  keepFormats,
  keepWithoutType,
  minItemsToOne,
} from './rules/value-rules.ts';
import { closeObjects, dropAdditional, requireAll } from './rules/object-rules.ts';
import {
  inlineReferences,
  keepReferences,
  refuseEndless,
  refuseRecursive,
  referToDefinitions,
} from './rules/reference-rules.ts';
import { describe, drop, keep, refused, remove, type RuleTable, type Target } from './rules/rule.ts';
import { nullableAsType, openAsText, openButObjects, singleTypes } from './rules/type-rules.ts';

/** Everything stays unchanged; only references that no tool may contain are refused. */
const everything: RuleTable = {
  ...(Object.fromEntries(ROW_IDS.map((id) => [id, keep])) as RuleTable),
  externalReference: refused,
};

export const mcp: Target = Object.freeze<Target>({ name: 'mcp', rules: everything, anyPointer: true });

/** Any schema with a plain object at its root is passed on unchanged. */
const loose: RuleTable = {
  ...everything,
  rootUnion: uniteRoot,
  rootAllOf: mergeOrDescribe,
  rootValue: describe,
  reference: keepReferences,
  nullable: nullableAsType,
  missingItems: keepWithoutItems,
  identity: remove,
};

/** Without `strict`, the provider refuses lists without `items`, and little else. */
export const openai: Target = Object.freeze<Target>({
  name: 'openai',
  rules: { ...loose, missingItems: giveAnyItems },
  anyPointer: true,
});

/** With `strict`, a provider holds the model to the schema, and refuses keywords that it cannot enforce. */
const strict: RuleTable = {
  ...loose,
  anyOf: keepDistributed,
  oneOf: oneOfAsAnyOf,
  logic: describe,
  reference: referToDefinitions,
  additionalSchema: closeObjects,
  applicators: describe,
  prefixItems: describe,
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

const STRICT_FORMATS = 'date-time time date duration email hostname ipv4 ipv6 uuid'.split(' ');

export const openaiStrict: Target = Object.freeze<Target>({
  name: 'openai-strict',
  rules: {
    ...strict,
    rootAllOf: mergeOrFail,
    allOf: mergeOrFail,
    optional: requireAll,
    missingItems: giveTextItems,
    // `uri` is refused by the API
    format: keepFormats(STRICT_FORMATS),
  },
  anyPointer: false,
});

/** Properties of the root, only there. */
const ANTHROPIC_KEYS: NameRule = Object.freeze({ forbidden: /[^A-Za-z0-9_.-]/u, maxLength: 64 });

export const anthropic: Target = Object.freeze<Target>({
  name: 'anthropic',
  rules: { ...loose, rootValue: keep },
  anyPointer: true,
  keys: { rule: ANTHROPIC_KEYS, at: 'root' },
});

export const anthropicStrict: Target = Object.freeze<Target>({
  name: 'anthropic-strict',
  rules: {
    ...strict,
    allOf: keepInlined,
    recursion: refuseRecursive,
    pattern: describe,
    format: keepFormats([...STRICT_FORMATS, 'uri']),
    bounds: describe,
    exclusiveBounds: describe,
    multipleOf: describe,
    minItems: minItemsToOne,
    maxItems: describe,
    enumStrings: keepWithoutType,
  },
  anyPointer: false,
  keys: { rule: ANTHROPIC_KEYS, at: 'root' },
});

/** Properties at every depth. */
const GEMINI_KEYS: NameRule = Object.freeze({
  forbidden: /[^A-Za-z0-9_]/u,
  forbiddenFirst: /^[^A-Za-z_]/u,
  maxLength: 64,
});

/** The rules that both fields for schemas share. */
const gemini: RuleTable = {
  ...loose,
  allOf: mergeOrDescribe,
  logic: describe,
  applicators: describe,
  missingItems: giveTextItems,
  bounds: keepBounds,
  exclusiveBounds: inclusiveForIntegers,
  multipleOf: describe,
  uniqueItems: describe,
  objectValues: describe,
  constString: constAsEnum,
  marks: drop,
  unknown: dropButOrdering,
};

/** The field `parametersJsonSchema`: JSON Schema, in part. */
export const geminiJson: Target = Object.freeze<Target>({
  name: 'gemini-json',
  rules: {
    ...gemini,
    rootUnion: keep,
    rootAllOf: keep,
    reference: referToDefinitions,
    recursion: refuseEndless,
    pattern: describe,
    lengths: describe,
    propertyCounts: describe,
    enumStrings: enumOrNull,
    enumBooleans: describe,
    constNumber: constAsEnum,
    constBoolean: describe,
    default: describe,
    examples: drop,
    openValue: openButObjects,
  },
  anyPointer: false,
  keys: { rule: GEMINI_KEYS, at: 'everywhere' },
});

/** The field `parameters`: a schema of OpenAPI 3.0, in part. */
export const geminiOpenApi: Target = Object.freeze<Target>({
  name: 'gemini-openapi',
  rules: {
    ...gemini,
    anyOf: keepAnyOf,
    oneOf: oneOfAsAnyOf,
    reference: inlineReferences,
    recursion: refused,
    typeArray: singleTypes,
    nullable: keep,
    additionalSchema: dropAdditional,
    additionalFalse: drop,
    prefixItems: describe,
    format: keepFormats(['date-time', 'enum', 'int32', 'int64', 'float', 'double']),
    enumNumbers: asStrings,
    enumBooleans: asStrings,
    constNumber: constAsString,
    constBoolean: constAsString,
    examples: firstExample,
    openValue: openAsText,
  },
  anyPointer: false,
  keys: { rule: GEMINI_KEYS, at: 'everywhere' },
});
