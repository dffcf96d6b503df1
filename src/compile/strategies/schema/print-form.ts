import type { JsonSchema } from '../../../shared/json-schema.ts';
import { identityOf } from './identity.ts';
import { typeName, type Shape } from './value-shape.ts';

/** Writes shapes, one for each type, as the plainest schema that accepts them. */
export function printForm(shapes: readonly Shape[]): JsonSchema {
  const [first, ...others] = shapes;
  if (first === undefined) return { not: {} };
  if (others.length === 0) return printShape(first);
  const keywords = joinKeywords(shapes);
  const limited = shapes.filter(({ values }) => values !== undefined);
  if (keywords === undefined) return printUnion(shapes);
  const type = shapes.map((shape) => typeName(shape.kind, [shape]));
  if (limited.length === 0) return { type, ...keywords };
  const isListOfValues = shapes.every(({ kind, values }) => kind === 'null' || values !== undefined);
  if (!isListOfValues) return printUnion(shapes);
  return { type, enum: shapes.flatMap(({ values }) => values ?? [null]), ...keywords };
}

function printUnion(shapes: readonly Shape[]): JsonSchema {
  return { anyOf: shapes.map(printShape) };
}

function printShape(shape: Shape): JsonSchema {
  return {
    type: typeName(shape.kind, [shape]),
    ...(shape.values === undefined || shape.kind === 'null' ? {} : { enum: shape.values }),
    ...Object.fromEntries(shape.keywords),
  };
}

/** Keywords only concern values of their type, so one schema can hold those of all; `format` may clash. */
function joinKeywords(shapes: readonly Shape[]): Readonly<Record<string, unknown>> | undefined {
  const joined = new Map<string, unknown>();
  const owners = new Map<string, number>();
  for (const [keyword, value] of shapes.flatMap(({ keywords }) => [...keywords])) {
    if (joined.has(keyword) && identityOf(joined.get(keyword)) !== identityOf(value)) return undefined;
    joined.set(keyword, value);
    owners.set(keyword, (owners.get(keyword) ?? 0) + 1);
  }
  const isClash = formatClashes(shapes, owners.get('format') ?? 0);
  return isClash ? undefined : Object.fromEntries(joined);
}

// `format` is the one keyword of two types: on a shared schema it would also limit the other one.
function formatClashes(shapes: readonly Shape[], owners: number): boolean {
  const concerned = shapes.filter(({ kind }) => kind === 'string' || kind === 'number').length;
  return owners > 0 && owners < concerned;
}
