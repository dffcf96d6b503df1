import { COMPARATOR_NAMES } from '../conditions/comparators.ts';

/** A condition, within the schema of a document. */
export const conditionSchema = {
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
