import { deepFreeze } from '../../../shared/deep-freeze.ts';
import { conditionSchema } from './condition-schema.ts';
import { criteriaSchema } from './criteria-schema.ts';
import { DOCUMENT_LIMITS } from './document-limits.ts';
import { stepSchemas } from './step-schemas.ts';

// Source: semver.org, "Is there a suggested regular expression to check a SemVer string?"
const NUMBER = '(?:0|[1-9]\\d*)';
const PRERELEASE = '(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const BUILD = '[0-9a-zA-Z-]+';
const SEMANTIC_VERSION =
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}` +
  `(?:-${PRERELEASE}(?:\\.${PRERELEASE})*)?(?:\\+${BUILD}(?:\\.${BUILD})*)?$`;

const hints = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 256 },
  uniqueItems: true,
};

/**
 * The JSON Schema (2020-12) of workflow documents. A document has to keep a few rules more, which no schema can
 * say: ids are unique, loops name steps that there are, depth and sizes have limits, regular expressions and
 * schemas within criteria compile.
 */
export const workflowSchema: Readonly<Record<string, unknown>> = deepFreeze({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Workflow',
  type: 'object',
  properties: {
    id: { $ref: '#/$defs/id' },
    name: { type: 'string', minLength: 1, maxLength: 128 },
    description: { type: 'string', minLength: 1, maxLength: 512 },
    version: { type: 'string', pattern: SEMANTIC_VERSION },
    category: { type: 'string', minLength: 1, maxLength: 64, default: 'default' },
    preconditions: hints,
    clarificationPrompts: hints,
    metaGuidance: hints,
    steps: { type: 'array', items: { $ref: '#/$defs/step' }, minItems: 1, maxItems: DOCUMENT_LIMITS.steps },
  },
  required: ['id', 'name', 'description', 'version', 'steps'],
  additionalProperties: false,
  $defs: {
    ...stepSchemas,
    validationCriteria: { anyOf: [{ $ref: '#/$defs/criteria' }, { type: 'object', maxProperties: 0 }] },
    criteria: criteriaSchema,
    condition: conditionSchema,
  },
});
