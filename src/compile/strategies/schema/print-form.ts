import type { JsonSchema } from '../../../shared/json-schema.ts';
import { canonicalJson } from '../../../shared/canonical-json.ts';
import { typeName, type Shape } from './value-shape.ts';

/** Writes shapes, one for each type, as the plainest schema that accepts them. */
export function printForm(shapes: readonly Shape[]): JsonSchema {
  const [first] = shapes;
  if (first === undefined) return { not: {} };
  if (shapes.length === 1) return printShape(first);
  const keywords = joinKeywords(shapes);
  if (keywords === undefined) return printUnion(shapes);
  const type = shapes.map((shape) => typeName(shape.kind, [shape]));
  // null has one value, so it fits beside types and beside enums
  const others = shapes.filter(({ kind }) => kind !== 'null');
  if (others.every(({ values }) => values === undefined)) return { type, ...keywords };
  if (others.some(({ values }) => values === undefined)) return printUnion(shapes);
  return { type, enum: shapes.flatMap(({ values }) => values ?? [null]), ...keywords };
}

/** Writes shapes as a choice between them. */
export function printUnion(shapes: readonly Shape[]): JsonSchema {
  return { anyOf: shapes.map(printShape) };
}

function printShape(shape: Shape): JsonSchema {
  return {
    type: typeName(shape.kind, [shape]),
    ...(shape.values === undefined || shape.kind === 'null' ? {} : { enum: shape.values }),
    ...Object.fromEntries(shape.keywords),
  };
}

/**
 * A keyword concerns values of its type only, so one schema can hold those of all types.
 * `format` has values for strings and others for numbers; two of them do not fit into one schema.
 */
function joinKeywords(shapes: readonly Shape[]): Readonly<Record<string, unknown>> | undefined {
  const joined = new Map<string, unknown>();
  for (const [keyword, value] of shapes.flatMap(({ keywords }) => [...keywords])) {
    if (joined.has(keyword) && canonicalJson(joined.get(keyword)) !== canonicalJson(value)) return undefined;
    joined.set(keyword, value);
  }
  return Object.fromEntries(joined);
}
