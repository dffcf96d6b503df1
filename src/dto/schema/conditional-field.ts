import type { JsonType } from '../../metadata/options.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import type { PropertyShape } from '../shape/shape.ts';
import { addConstraints } from './constraint-rules.ts';

const SAMPLES: readonly (readonly [type: JsonType, values: readonly unknown[]])[] = [
  ['string', ['', 'a']],
  ['number', [0, 1]],
  ['boolean', [true, false]],
  ['array', [[]]],
  ['object', [{}]],
];

/**
 * What a schema can say of a property with a condition: the types. Which values the
 * condition lets pass is not known, so the description has the rules in words.
 */
export function withoutRules(schema: JsonSchema, property: PropertyShape, losses: string[]): JsonSchema {
  const { shape } = property;
  const passing = passingTypes(property);
  if (shape.kind !== 'scalar' && shape.kind !== 'enum') {
    return passing.length === 0 ? schema : { anyOf: [schema, ...passing.map((type) => ({ type }))] };
  }
  const known = new Set(losses);
  for (const rule of rulesOf(property)) if (!known.has(rule)) losses.push(rule);
  const isTold = property.conditions.some(({ dependsOnOthers }) => dependsOnOthers);
  if (!isTold) losses.push('is not checked where a condition lets the value pass');
  const own = typesIn(schema);
  if (own.length === 0) return {};
  const types = [...new Set([...own, ...passing])].filter(
    (type, _, all) => type !== 'integer' || !all.includes('number'),
  );
  return { type: types.length === 1 ? types[0] : types } as JsonSchema;
}

/** The types of which at least one sample passes unchecked. */
function passingTypes({ conditions, property }: PropertyShape): readonly JsonType[] {
  const passes = (value: unknown): boolean =>
    conditions.some(({ kind, dependsOnOthers, test }) => {
      if (kind === 'optional' || dependsOnOthers) return false;
      try {
        return !test(value, { [property]: value });
      } catch {
        return false;
      }
    });
  return SAMPLES.filter(([, values]) => values.some(passes)).map(([type]) => type);
}

/** The rules that keywords would express. */
function rulesOf({ constraints, shape }: PropertyShape): readonly string[] {
  const type = shape.kind === 'scalar' ? shape.type : 'any';
  return constraints
    .filter(
      (constraint) => constraint.name === 'isEnum' || hasKeywords(addConstraints({}, [constraint], type, [])),
    )
    .map(({ phrase }) => phrase);
}

function hasKeywords(schema: JsonSchema): boolean {
  return Object.keys(schema).length > 0;
}

function typesIn({ type, anyOf = [] }: JsonSchema): readonly string[] {
  return type === undefined ? anyOf.flatMap(typesIn) : [type].flat();
}
