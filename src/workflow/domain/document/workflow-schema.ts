import { COMPARATOR_NAMES } from '../conditions/condition.ts';
import { deepFreeze } from '../../../shared/deep-freeze.ts';
import { DOCUMENT_LIMITS } from './workflow-document.ts';

const conditionSchema = {
  description:
    'Holds when all of its operators hold; without a comparator, var is whether the variable is truthy.',
  type: 'object',
  properties: {
    var: { type: 'string', description: 'The name of one variable of the context, not a path.' },
    ...Object.fromEntries(COMPARATOR_NAMES.map((name) => [name, {}])),
    and: { type: 'array', items: { $ref: '#/$defs/condition' } },
    or: { type: 'array', items: { $ref: '#/$defs/condition' } },
    not: { $ref: '#/$defs/condition' },
  },
  additionalProperties: false,
  dependentRequired: Object.fromEntries(COMPARATOR_NAMES.map((name) => [name, ['var']])),
};

const bound = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

function rule(type: string, members: Readonly<Record<string, unknown>>, others: object = {}): object {
  return {
    type: 'object',
    properties: {
      type: { const: type },
      message: {
        type: ['string', 'null'],
        description: 'Told when the rule fails; empty for the default text.',
      },
      condition: { anyOf: [{ $ref: '#/$defs/condition' }, { type: 'null' }] },
      ...members,
    },
    required: ['type'],
    additionalProperties: false,
    ...others,
  };
}

function composition(operator: string, operand: object): object {
  return {
    type: 'object',
    properties: { [operator]: operand },
    required: [operator],
    additionalProperties: false,
  };
}

const someCriteria = { type: 'array', items: { $ref: '#/$defs/criteria' }, minItems: 1 };

const criteriaSchema = {
  description: 'A regular expression as plain text, a rule, a composition, or a list of these.',
  anyOf: [
    { type: 'string' },
    { type: 'array', items: { $ref: '#/$defs/criteria' } },
    rule('contains', { value: {} }),
    rule(
      'regex',
      { pattern: { type: 'string' }, flags: { type: ['string', 'null'], pattern: '^[imsu]*$' } },
      {
        required: ['type', 'pattern'],
      },
    ),
    rule('length', { min: bound, max: bound }, { anyOf: [{ required: ['min'] }, { required: ['max'] }] }),
    rule('schema', { schema: { type: ['object', 'boolean', 'null'] } }),
    composition('and', someCriteria),
    composition('or', someCriteria),
    composition('not', { $ref: '#/$defs/criteria' }),
  ],
};

const id = { type: 'string', minLength: 3, maxLength: 64, pattern: '^[a-z0-9-]+$' };
const title = { type: 'string', minLength: 1, maxLength: 128 };
const variable = { type: 'string', minLength: 1 };

const requireConfirmation = {
  description: 'True, or a condition: a user has to agree before the step counts as done.',
  type: ['boolean', 'object'],
  if: { type: 'object' },
  then: { $ref: '#/$defs/condition' },
};

const runCondition = { $ref: '#/$defs/condition' };

/** The schema for some types of loops. A member that one type requires is refused for the others. */
function loopOf(types: readonly string[], wanted: string): object {
  const others = ['condition', 'count', 'items'].filter((name) => name !== wanted);
  return {
    if: { properties: { type: { enum: types } }, required: ['type'] },
    then: { required: [wanted], properties: Object.fromEntries(others.map((name) => [name, false])) },
  };
}

/** The steps of a document, by the names of their definitions in its schema. */
const stepSchemas = {
  id,
  step: {
    if: { type: 'object', properties: { type: { const: 'loop' } }, required: ['type'] },
    then: { $ref: '#/$defs/loopStep' },
    else: { $ref: '#/$defs/plainStep' },
  },
  plainStep: {
    type: 'object',
    properties: {
      id: { $ref: '#/$defs/id' },
      title,
      prompt: { type: 'string', minLength: 1, maxLength: 2048 },
      agentRole: {
        description: 'How the agent is to see itself; not meant for the user.',
        type: 'string',
        minLength: 10,
        maxLength: 1024,
      },
      guidance: { type: 'array', items: { type: 'string' } },
      askForFiles: { type: 'boolean', default: false },
      requireConfirmation,
      runCondition,
      validationCriteria: { $ref: '#/$defs/validationCriteria' },
    },
    required: ['id', 'title', 'prompt'],
    additionalProperties: false,
  },
  loopStep: {
    type: 'object',
    properties: {
      id: { $ref: '#/$defs/id' },
      type: { const: 'loop' },
      title,
      loop: { $ref: '#/$defs/loop' },
      body: {
        description: 'Inline steps, or the id of a top-level step, which then runs in the loop only.',
        type: ['array', 'string'],
        minItems: 1,
        items: { $ref: '#/$defs/plainStep' },
      },
      requireConfirmation,
      runCondition,
    },
    required: ['id', 'type', 'title', 'loop', 'body'],
    additionalProperties: false,
  },
  loop: {
    type: 'object',
    properties: {
      type: { type: 'string', enum: ['while', 'until', 'for', 'forEach'] },
      maxIterations: { type: 'integer', minimum: 1, maximum: 1000 },
      condition: { $ref: '#/$defs/condition' },
      count: {
        description: 'A number, or the name of the context variable that holds it.',
        type: ['integer', 'string'],
        minimum: 0,
        maximum: 1000,
        minLength: 1,
      },
      items: { ...variable, description: 'The name of the context variable that holds the array.' },
      iterationVar: { ...variable, default: 'currentIteration' },
      itemVar: { ...variable, default: 'currentItem' },
      indexVar: { ...variable, default: 'currentIndex' },
    },
    required: ['type', 'maxIterations'],
    additionalProperties: false,
    allOf: [loopOf(['while', 'until'], 'condition'), loopOf(['for'], 'count'), loopOf(['forEach'], 'items')],
  },
};

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
 * The JSON Schema (2020-12) of workflow documents. A document must also follow a few rules that a schema cannot
 * express: ids are unique, loops name existing steps, depth and sizes have limits, and regular expressions and
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
