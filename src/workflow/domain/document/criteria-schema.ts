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

/** Validation criteria, within the schema of a document. */
export const criteriaSchema = {
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
