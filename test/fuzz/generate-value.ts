import type { ObjectShape, PropertyShape, Shape } from '../../src/dto/shape/shape.ts';
import type { Class } from '../../src/shared/class-type.ts';
import { anyValue, STRANGE_NAMES } from './alphabet.ts';
import type { Random } from '../support/random.ts';

const TRIES = 40;

/** A value that a DTO accepts, as far as tries find one. */
export function generateValue(
  shape: ObjectShape,
  shapes: ReadonlyMap<Class, ObjectShape>,
  random: Random,
  depth = 0,
): object {
  const value: Record<string, unknown> = {};
  for (const property of shape.properties) {
    if (!property.required && random.chance(0.25)) continue;
    value[property.name] = generateProperty(property, shapes, random, depth);
  }
  return value;
}

function generateProperty(
  { shape, constraints }: PropertyShape,
  shapes: ReadonlyMap<Class, ObjectShape>,
  random: Random,
  depth: number,
): unknown {
  const nested = nestedClass(shape);
  if (nested !== undefined) {
    if (depth > 4) return null;
    const one = (): object => generateValue(shapes.get(nested) as ObjectShape, shapes, random, depth + 1);
    return shape.kind === 'array' ? Array.from({ length: random.below(4) }, one) : one();
  }
  const isEach = constraints.some(({ each }) => each);
  let value: unknown;
  for (let left = TRIES; left > 0; left -= 1) {
    value = isEach && random.chance(0.8) ? items(random) : anyValue(random);
    const date = typeof value === 'string' ? new Date(value) : value;
    if (fits(constraints, value) || fits(constraints, date)) return value;
  }
  return value;
}

function items(random: Random): unknown[] {
  if (random.chance(0.5)) return Array.from({ length: random.below(3) }, () => anyValue(random));
  const item = anyValue(random);
  return Array.from({ length: 1 + random.below(2) }, () => item);
}

function fits(constraints: PropertyShape['constraints'], value: unknown): boolean {
  try {
    return constraints.every(({ validate, each }) => {
      const values: readonly unknown[] = each && Array.isArray(value) ? value : [value];
      return values.every((one) => Boolean(validate(one, {}, value)));
    });
  } catch {
    return false;
  }
}

function nestedClass(shape: Shape): Class | undefined {
  if (shape.kind === 'array') return nestedClass(shape.items);
  return shape.kind === 'object' || shape.kind === 'ref' ? shape.id : undefined;
}

/** A copy in which one or two places are other than before. */
export function mutate(value: object, random: Random): object {
  const copy = clone(value) as object;
  for (let left = 1 + random.below(2); left > 0; left -= 1) change(place(copy, random), random);
  return random.chance(0.05) ? reversed(copy) : copy;
}

/** The value itself, or an object or array in it. */
function place(value: object, random: Random): object {
  const inner = Object.values(value).filter(isContainer);
  return inner.length === 0 || random.chance(0.5) ? value : place(random.pick(inner), random);
}

function change(object: object, random: Random): void {
  const names = Object.keys(object);
  const kind = random.below(10);
  if (kind === 0) {
    const name = Array.isArray(object) ? String(object.length) : random.pick(STRANGE_NAMES);
    set(object, name, anyValue(random));
    return;
  }
  if (names.length === 0) return;
  const name = random.pick(names);
  if (kind < 3) Reflect.deleteProperty(object, name);
  else if (kind === 3) set(object, name, [(object as Record<string, unknown>)[name]]);
  else if (kind === 4) set(object, name, undefined);
  else set(object, name, anyValue(random));
}

function set(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

function reversed(value: object): object {
  const copy = (Array.isArray(value) ? [] : {}) as object;
  for (const name of Object.keys(value).reverse()) set(copy, name, (value as Record<string, unknown>)[name]);
  return copy;
}

function clone(value: unknown): unknown {
  if (!isContainer(value)) return value;
  const copy = Array.isArray(value)
    ? new Array<unknown>(value.length)
    : (Object.create(Object.getPrototypeOf(value) as object | null) as object);
  for (const name of Object.keys(value)) set(copy, name, clone((value as Record<string, unknown>)[name]));
  return copy;
}

function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
