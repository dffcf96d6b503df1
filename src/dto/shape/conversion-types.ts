import type { JsonType } from '../../metadata/options.ts';
import type { Class } from '../../shared/class-type.ts';
import { isObject } from '../../shared/json.ts';
import type { Shape } from './shape.ts';
import { toInstance } from './transformer-metadata.ts';

/** Values of each type that conversions of the kind are written for. */
const SAMPLES = {
  string: ['', 'a', '1', 'true', 'a,b', '2026-02-28T13:00:00Z', '{}', '[]'],
  number: [0, 1, 1.5],
  boolean: [true, false],
  array: [[], ['a'], [1]],
  object: [{}],
} as const;

type SampledType = keyof typeof SAMPLES;

const SCALARS: readonly SampledType[] = ['string', 'number'];
const ALL = Object.keys(SAMPLES) as readonly SampledType[];

/**
 * The types that an author's conversion takes: those of which it makes what the property is. Undefined where samples do
 * not show it, as for a property of any type.
 * @param name the name of the property in the input
 */
export function conversionTypes(
  target: Class,
  property: string,
  name: string,
  shape: Shape,
): readonly JsonType[] | undefined {
  if (shape.kind === 'opaque' || (shape.kind === 'scalar' && shape.type === 'any')) return undefined;
  const becomes = (sample: unknown): unknown =>
    convert(target, property, { [name]: structuredClone(sample) });
  if (shape.kind === 'scalar' && shape.type === 'boolean') return booleanTypes(becomes);
  const isMade = (sample: unknown): boolean => isOfShape(becomes(sample), shape);
  const types = (isSingle(shape) ? SCALARS : ALL).filter((type) => SAMPLES[type].some(isMade));
  if (types.length === 0) return undefined;
  const isWhole = isMade(1) && !isMade(1.5);
  return Object.freeze(types.map((type) => (type === 'number' && isWhole ? 'integer' : type)));
}

/** A conversion that makes the same of all values of a type, or other ones of booleans, is not written for that type. */
function booleanTypes(becomes: (sample: unknown) => unknown): readonly JsonType[] | undefined {
  const isBoth = (samples: readonly unknown[]): boolean => {
    const made = new Set(samples.map(becomes));
    return made.has(true) && made.has(false);
  };
  const types = SCALARS.filter((type) => isBoth(SAMPLES[type]));
  const isKept = SAMPLES.boolean.every((sample) => becomes(sample) === sample);
  const all: readonly JsonType[] = isKept ? ['boolean', ...types] : types;
  return all.length === 0 ? undefined : Object.freeze(all);
}

function convert(target: Class, property: string, input: object): unknown {
  try {
    return (toInstance(target, input) as Record<string, unknown>)[property];
  } catch {
    return undefined;
  }
}

function isSingle(shape: Shape): boolean {
  return (
    shape.kind === 'enum' || (shape.kind === 'scalar' && shape.type !== 'array' && shape.type !== 'object')
  );
}

function isOfShape(value: unknown, shape: Shape): boolean {
  switch (shape.kind) {
    case 'scalar':
      return isOfScalarType(value, shape.type);
    case 'enum':
      return shape.values.some((one) => typeof one === typeof value) && !Number.isNaN(value);
    case 'array':
      return Array.isArray(value) || value instanceof Set;
    default:
      return isObject(value);
  }
}

function isOfScalarType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'date':
      return value instanceof Date && !Number.isNaN(value.getTime());
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === type;
  }
}
