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

/** Where a condition or a count is wanted for some types of loops, it is refused for the others. */
function loopOf(types: readonly string[], wanted: string): object {
  const others = ['condition', 'count', 'items'].filter((name) => name !== wanted);
  return {
    if: { properties: { type: { enum: types } }, required: ['type'] },
    then: { required: [wanted], properties: Object.fromEntries(others.map((name) => [name, false])) },
  };
}

/** The steps of a document, by the names of their definitions in its schema. */
export const stepSchemas = {
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
