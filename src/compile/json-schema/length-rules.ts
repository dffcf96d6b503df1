import type { JsonSchema } from '../../shared/json-schema.ts';
import type { ConstraintRules } from './constraint-rule.ts';

export const lengthRules: ConstraintRules = {
  minLength: ({ args }) => atLeast(args[0]),
  maxLength: ({ args }) => atMost(args[0]),
  isLength: ({ args }) => ({ ...atLeast(args[0]), ...atMost(args[1]) }),
};

function atLeast(length: unknown): JsonSchema {
  return typeof length === 'number' && length > 0 ? { minLength: Math.ceil(length) } : {};
}

function atMost(length: unknown): JsonSchema {
  return typeof length === 'number' && Number.isFinite(length)
    ? { maxLength: Math.max(0, Math.floor(length)) }
    : {};
}
