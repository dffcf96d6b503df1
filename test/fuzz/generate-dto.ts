import { inspect } from 'node:util';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsOptional,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  type ValidationOptions,
} from 'class-validator';
import { Field } from '../../src/decorators/members.ts';
import type { Class } from '../../src/shared/class-type.ts';
import { anyValue } from './alphabet.ts';
import type { Random } from '../support/random.ts';
import { RULES, type Family } from './rule-samples.ts';

/** A DTO class made at random. */
export interface GeneratedDto {
  readonly type: Class;
  /** The names of its validators, those of nested classes included. */
  readonly rules: ReadonlySet<string>;
  /** It as text, for the report of an offender. */
  readonly text: string;
}

interface Draft {
  readonly type: Class;
  readonly random: Random;
  readonly rules: Set<string>;
  readonly lines: string[];
  /** What the constructor sets, in this order. */
  readonly fields: Map<string, () => unknown>;
}

const NAMES = ['a', 'b', 'c', 'title', 'odd name', '0', 'ünï"code`${1}'] as const;
const FAMILIES = Object.keys(RULES) as Family[];

export function generateDto(random: Random, depth = 0): GeneratedDto {
  const fields = new Map<string, () => unknown>();
  const base = depth < 2 && random.chance(0.1) ? generateDto(random, depth + 1) : undefined;
  const Base = (base?.type ?? class {}) as new () => object;
  const Dto = class extends Base {
    constructor() {
      super();
      for (const [name, make] of fields) (this as Record<string, unknown>)[name] = make();
    }
  };
  const draft: Draft = { type: Dto, random, rules: new Set(), lines: [], fields };
  if (base !== undefined) {
    draft.lines.push('extends {', base.text, '}');
    for (const rule of base.rules) draft.rules.add(rule);
  }
  const names = new Set(Array.from({ length: 1 + random.below(4) }, () => nameOf(random)));
  const hasFields = random.chance(0.6);
  for (const name of names) {
    if (hasFields) fields.set(name, () => undefined);
    addProperty(draft, name, depth);
  }
  return { type: Dto, rules: draft.rules, text: draft.lines.join('\n') };
}

function addProperty(draft: Draft, name: string, depth: number): void {
  const { random } = draft;
  if (depth < 2 && random.chance(depth === 0 ? 0.3 : 0.2)) nest(draft, name, depth);
  else addRules(draft, name);
  if (random.chance(0.3)) apply(draft, name, 'isOptional', IsOptional());
  if (random.chance(0.1)) apply(draft, name, 'nullable', Field({ nullable: true }));
  if (random.chance(0.05))
    apply(
      draft,
      name,
      'validateIf',
      ValidateIf((_, value) => value !== 'a'),
    );
  if (random.chance(0.1)) initialise(draft, name);
  else if (random.chance(0.08)) preset(draft, name);
}

function nameOf(random: Random): string {
  return random.chance(0.01) ? 'then' : random.pick(NAMES);
}

function apply(
  { type, rules, lines }: Draft,
  name: string,
  rule: string,
  decorator: PropertyDecorator,
): void {
  rules.add(rule);
  lines.push(`${name}: ${rule}`);
  decorator(type.prototype as object, name);
}

function addRules(draft: Draft, name: string): void {
  const { random, type, lines } = draft;
  const family = random.pick(FAMILIES);
  const each = random.chance(0.25);
  if (each && random.chance(0.7)) apply(draft, name, 'isArray', IsArray());
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    const rules = RULES[random.chance(0.8) ? family : 'any'];
    const rule = random.pick(Object.keys(rules));
    const options: ValidationOptions = {
      each,
      ...(random.chance(0.05) ? { validateIf: (_, value) => value !== 'b' } : {}),
    };
    apply(draft, name, rule, (rules[rule] as (typeof rules)[string])(random, options));
  }
  if (random.chance(0.05)) apply(draft, name, 'custom', custom({ each }));
  if (random.chance(0.08)) {
    const scalar = random.pick([String, Number, Boolean, Date]);
    lines.push(`${name}: @Type(() => ${scalar.name})`);
    Type(() => scalar)(type.prototype as object, name);
  }
}

/** Looks at the value, at the instance and at the value it stands in. */
function custom(options: ValidationOptions): PropertyDecorator {
  const validate = (value: unknown, args?: { object: object; value: unknown }): boolean =>
    value !== 'ab' &&
    Object.values(args?.object ?? {}).filter((one) => one === undefined).length % 2 === 0 &&
    !(Array.isArray(args?.value) && args.value.length > 3);
  return ValidateBy({ name: 'custom', validator: { validate } }, options);
}

function nest(draft: Draft, name: string, depth: number): void {
  const { random, type, lines } = draft;
  const target = type.prototype as object;
  const isRecursive = random.chance(0.15);
  const inner: GeneratedDto = isRecursive
    ? { type, rules: new Set(), text: 'itself' }
    : generateDto(random, depth + 1);
  for (const rule of inner.rules) draft.rules.add(rule);
  lines.push(`${name}: nested {`, inner.text, '}');
  const isArray = random.chance(0.5);
  if (isArray && random.chance(0.8)) apply(draft, name, 'isArray', IsArray());
  apply(draft, name, 'validateNested', ValidateNested({ each: isArray }));
  if (isArray || random.chance(0.5)) {
    if (random.chance(0.8)) Reflect.metadata('design:type', isArray ? Array : inner.type)(target, name);
    Type(() => inner.type)(target, name);
  } else {
    Reflect.metadata('design:type', inner.type)(target, name);
  }
  if (isRecursive) apply(draft, name, 'isOptional', IsOptional());
}

function initialise({ random, fields, lines }: Draft, name: string): void {
  const value = anyValue(random);
  if (typeof value === 'function') return;
  lines.push(`${name} = ${inspect(value)}`);
  fields.set(name, () => value);
}

function preset({ random, type, lines }: Draft, name: string): void {
  const value = random.pick<unknown>(['a', 1, ['a'], { a: 1 }, [], true, '2020-01-01']);
  lines.push(`${name}: @Field({ default: ${JSON.stringify(value)} })`);
  Field({ default: value })(type.prototype as object, name);
}
