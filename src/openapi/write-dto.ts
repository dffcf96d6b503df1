import { createContract } from '../compile/contracts/create-contract.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { Operation } from '../operations/operation.ts';
import { definitionName } from '../schema/definitions.ts';
import { canonicalJson } from '../shared/canonical-json.ts';
import type { JsonSchema } from '../shared/json-schema.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import { className, propertyKey, quoted } from './identifiers.ts';

/** Names that a class cannot have beside the imports and the types of its file. */
const TAKEN = new Set(
  'Array Object String Number Boolean Date Map Set Record Promise Function Symbol Error InstanceType Field Type'.split(
    ' ',
  ),
);

interface WrittenField {
  readonly decorators: readonly string[];
  readonly type: string;
}

/** The classes of the inputs of one group, each written once. */
export class DtoFile {
  readonly #imports = {
    validator: new Set<string>(),
    transformer: new Set<string>(),
    own: new Set<string>(),
  };
  /** Class → what it was made of. */
  readonly #made = new Map<string, string>();
  readonly #texts: string[] = [];
  /** Those whose text stands above. */
  readonly #written = new Set<string>();

  /**
   * Writes the class of an input.
   * @returns its name
   * @throws ToolwrightError TW_OPENAPI_OPERATION for a field that no class can have
   */
  addInput({ key, name }: Pick<Operation, 'key' | 'name'>, source: SchemaSource): string {
    const { schema } = createContract(source, { unknownFields: 'strict', where: key });
    const { $defs = {} } = schema as { readonly $defs?: PlainObject };
    refuseNames(schema, key);
    return this.#addClass(`${className(name)}Input`, schema, $defs);
  }

  /** The text of the file; undefined where there are no classes. */
  text(): string | undefined {
    if (this.#texts.length === 0) return undefined;
    const { validator, transformer, own } = this.#imports;
    const lines = [
      importLine(transformer, 'class-transformer'),
      importLine(validator, 'class-validator'),
      importLine(own, 'toolwright'),
    ];
    return [lines.filter((line) => line !== '').join('\n'), ...this.#texts].join('\n\n') + '\n';
  }

  #addClass(wanted: string, schema: JsonSchema, $defs: PlainObject): string {
    const key = canonicalJson(canonical(schema, $defs, []));
    let name = TAKEN.has(wanted) ? `${wanted}Dto` : wanted;
    // Two types of one name: the second one says so
    for (let count = 2; this.#made.has(name) && this.#made.get(name) !== key; count += 1)
      name = `${wanted}${String(count)}`;
    if (this.#made.has(name)) return name;
    this.#made.set(name, key);
    const { properties = {}, required = [] } = schema as {
      readonly properties?: Readonly<Record<string, JsonSchema>>;
      readonly required?: readonly string[];
    };
    const fields = Object.entries(properties).map(([field, given]) =>
      this.#writeProperty(field, given, required.includes(field), { name, $defs }),
    );
    this.#texts.push(`export class ${name} {\n${fields.join('\n\n')}\n}`);
    this.#written.add(name);
    return name;
  }

  #writeProperty(field: string, schema: JsonSchema, isRequired: boolean, owner: Owner): string {
    const { inner, isNullable } = splitNull(schema);
    const { decorators, type } = this.#writeType(inner, field, owner);
    const description = schema.description ?? inner.description;
    const told = [
      ...(description === undefined ? [] : [`description: ${quoted(description)}`]),
      ...(isNullable ? ['nullable: true'] : []),
    ];
    const all = [
      ...(told.length === 0 ? [] : [this.#own('Field', `{ ${told.join(', ')} }`)]),
      ...(isRequired ? [] : [this.#validator('IsOptional')]),
      ...decorators,
    ];
    const sign = isRequired ? '!' : '?';
    const whole = isNullable && type !== 'unknown' ? `${type} | null` : type;
    return [...all, `${propertyKey(field)}${sign}: ${whole};`].map((line) => `  ${line}`).join('\n');
  }

  #writeType(schema: JsonSchema, field: string, owner: Owner): WrittenField {
    const { type, enum: values, $ref } = schema as JsonSchema & { readonly $ref?: string };
    if (Array.isArray(values) && values.every((each) => ['string', 'number'].includes(typeof each)))
      return this.#writeEnum(values as readonly (string | number)[], type);
    const scalar = typeof type === 'string' ? this.#writeScalar(schema, type) : undefined;
    if (scalar !== undefined) return scalar;
    const target = $ref === undefined ? undefined : owner.$defs[definitionName($ref)];
    const object = isPlainObject(target) ? (target as JsonSchema) : schema;
    if (isFieldsObject(object)) return this.#writeObject(object, $ref, field, owner);
    if (type === 'array') return this.#writeList(schema, field, owner);
    if (type === 'object')
      return { decorators: [this.#validator('IsObject')], type: 'Record<string, unknown>' };
    if ($ref !== undefined && isPlainObject(target)) return this.#writeType(target, field, owner);
    return { decorators: [this.#validator('Allow')], type: 'unknown' };
  }

  #writeObject(object: JsonSchema, $ref: string | undefined, field: string, owner: Owner): WrittenField {
    const wanted = $ref === undefined ? `${owner.name}${className(field)}` : className(definitionName($ref));
    const name = this.#addClass(wanted, object, owner.$defs);
    // A class that stands below cannot be named in what decorators emit
    const type = this.#written.has(name) ? name : `InstanceType<typeof ${name}>`;
    return { decorators: [this.#validator('ValidateNested'), this.#lazy(name)], type };
  }

  #writeEnum(values: readonly (string | number)[], type: unknown): WrittenField {
    const list = values.map((value) => (typeof value === 'string' ? quoted(value) : String(value)));
    const decorators = [this.#validator('IsIn', `[${list.join(', ')}]`)];
    return {
      decorators: type === 'string' ? [...decorators, this.#validator('IsString')] : decorators,
      type: list.join(' | '),
    };
  }

  #writeScalar(schema: JsonSchema, type: string): WrittenField | undefined {
    const { minimum, maximum, minLength, maxLength } = schema;
    const bound = (name: string, value: unknown): readonly string[] =>
      typeof value === 'number' ? [this.#validator(name, String(value))] : [];
    if (type === 'string') {
      const lengths = [...bound('MinLength', minLength), ...bound('MaxLength', maxLength)];
      const pattern = isPattern(schema.pattern)
        ? [this.#validator('Matches', `new RegExp(${quoted(schema.pattern)}, 'u')`)]
        : [];
      return { decorators: [this.#validator('IsString'), ...lengths, ...pattern], type: 'string' };
    }
    if (type === 'boolean') return { decorators: [this.#validator('IsBoolean')], type: 'boolean' };
    if (type !== 'integer' && type !== 'number') return undefined;
    const kind = this.#validator(type === 'integer' ? 'IsInt' : 'IsNumber');
    return {
      decorators: [
        kind,
        ...bound('Min', minimum),
        ...bound('Max', maximum),
        ...bound('IsDivisibleBy', schema['multipleOf']),
      ],
      type: 'number',
    };
  }

  #writeList(schema: JsonSchema, field: string, owner: Owner): WrittenField {
    const { items, minItems, maxItems } = schema;
    const decorators = [
      this.#validator('IsArray'),
      ...(typeof minItems === 'number' ? [this.#validator('ArrayMinSize', String(minItems))] : []),
      ...(typeof maxItems === 'number' ? [this.#validator('ArrayMaxSize', String(maxItems))] : []),
      ...(schema['uniqueItems'] === true ? [this.#validator('ArrayUnique')] : []),
    ];
    const item = isPlainObject(items) ? this.#writeType(items, field, owner) : undefined;
    // Lists of lists are beyond what validators say
    const isPlain = item === undefined || item.type === 'unknown' || item.type.endsWith('[]');
    if (isPlain) return { decorators, type: 'unknown[]' };
    const each = item.decorators.map((text) => (text.startsWith('@Type') ? text : withEach(text)));
    return {
      decorators: [...decorators, ...each],
      type: item.type.includes(' ') ? `(${item.type})[]` : `${item.type}[]`,
    };
  }

  #validator(name: string, argument = ''): string {
    this.#imports.validator.add(name);
    return `@${name}(${argument})`;
  }

  #own(name: string, argument: string): string {
    this.#imports.own.add(name);
    return `@${name}(${argument})`;
  }

  #lazy(name: string): string {
    this.#imports.transformer.add('Type');
    return `@Type(() => ${name})`;
  }
}

interface Owner {
  readonly name: string;
  readonly $defs: PlainObject;
}

/** What every object has already, no class can declare as something else. */
function refuseNames(schema: unknown, key: string): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [name, member] of Object.entries(schema) as [string, unknown][]) {
    const taken =
      name === 'properties' && isPlainObject(member)
        ? Object.keys(member).find((field) => field in Object.prototype)
        : undefined;
    if (taken !== undefined) {
      throw new ToolwrightError('TW_OPENAPI_OPERATION', {
        where: key,
        what: `takes a field with the name ${taken}, which no class can have.`,
        fix: `exclude: ['${key}'], or offer it with OpenApiModule`,
      });
    }
    refuseNames(member, key);
  }
}

/** Patterns of JSON Schema are those of ECMAScript with `u`; what is none is checked by nobody. */
function isPattern(pattern: unknown): pattern is string {
  if (typeof pattern !== 'string') return false;
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function withEach(decorator: string): string {
  return decorator.replace(/\)$/, decorator.endsWith('()') ? '{ each: true })' : ', { each: true })');
}

function importLine(names: ReadonlySet<string>, from: string): string {
  return names.size === 0 ? '' : `import { ${[...names].sort().join(', ')} } from '${from}';`;
}

function isFieldsObject({ type, properties, ...rest }: JsonSchema): boolean {
  if ((type !== 'object' && type !== undefined) || !isPlainObject(properties)) return false;
  return ['allOf', 'anyOf', 'oneOf', '$ref'].every((name) => !Object.hasOwn(rest, name));
}

/** `X or null`, in each of its forms. */
function splitNull(schema: JsonSchema): { readonly inner: JsonSchema; readonly isNullable: boolean } {
  const { type, anyOf } = schema as { readonly type?: unknown; readonly anyOf?: readonly JsonSchema[] };
  const isNull = (each: JsonSchema): boolean => each.type === 'null';
  if (Array.isArray(type) && type.length === 2 && type.includes('null')) {
    const [kept] = type.filter((each) => each !== 'null') as readonly string[];
    const { enum: values, ...rest } = schema as JsonSchema & { readonly enum?: readonly unknown[] };
    const own = values === undefined ? {} : { enum: values.filter((each) => each !== null) };
    return { inner: { ...rest, ...own, type: kept } as JsonSchema, isNullable: true };
  }
  if (anyOf?.length === 2 && anyOf.some(isNull)) {
    const [kept] = anyOf.filter((each) => !isNull(each));
    if (kept !== undefined) return { inner: kept, isNullable: true };
  }
  return { inner: schema, isNullable: false };
}

/** What a schema says with what it refers to, so that equal ones are one class. */
function canonical(value: unknown, $defs: PlainObject, inside: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => canonical(each, $defs, inside));
  if (!isPlainObject(value)) return value;
  const { $ref } = value;
  if (typeof $ref === 'string' && !inside.includes($ref))
    return { $ref, is: canonical($defs[definitionName($ref)], $defs, [...inside, $ref]) };
  const kept = Object.entries(value).filter(([name]) => name !== '$defs');
  return Object.fromEntries(kept.map(([name, member]) => [name, canonical(member, $defs, inside)]));
}
