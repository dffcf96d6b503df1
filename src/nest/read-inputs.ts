import { createContract } from '../compile/contracts/create-contract.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { Class, JsonSchema, SchemaSource } from '../index.ts';
import { isOfferedHeader } from '../operations/http/headers.ts';
import { chooseLeftOut, leaveOut } from '../operations/left-out.ts';
import type { LeftOut, Place, PlaceIn } from '../operations/operation.ts';
import { isClass } from '../shared/class-type.ts';
import { isStandardSchema } from '../shared/schema-source.ts';
import { KIND, readPropertyTexts, type RouteParameter } from './metadata.ts';

/** What a route takes, or why that is not known. */
export interface RouteInputs {
  readonly inputs: readonly Place[];
  readonly leftOut: LeftOut | undefined;
}

const PLACES: Readonly<Record<number, PlaceIn>> = {
  [KIND.body]: 'body',
  [KIND.query]: 'query',
  [KIND.param]: 'path',
  [KIND.headers]: 'header',
};

/** Reads what a route takes, from its parameters, their pipes and the names in its path. */
export function readInputs(
  parameters: readonly RouteParameter[],
  path: string,
  texts: ReadonlyMap<string, string>,
): RouteInputs {
  const read = parameters.map((parameter) => readParameter(parameter, path, texts));
  const leftOut = chooseLeftOut(
    read.filter((part): part is LeftOut => part !== undefined && 'reason' in part),
  );
  const inputs = read.filter((part): part is Place => part !== undefined && 'in' in part);
  return { inputs: [...inputs, ...missingPathValues(inputs, path, texts)], leftOut };
}

/** A value in the path that no parameter takes is sent all the same. */
function missingPathValues(
  inputs: readonly Place[],
  path: string,
  texts: ReadonlyMap<string, string>,
): readonly Place[] {
  const taken = new Set(inputs.flatMap((place) => (place.in === 'path' ? namesIn(place) : [])));
  return pathNames(path)
    .filter(({ name }) => !taken.has(name))
    .map(({ name, isRequired }) => ({
      in: 'path',
      name,
      source: { type: 'string', minLength: 1 },
      isRequired,
      texts,
    }));
}

function namesIn({ name, source }: Place): readonly string[] {
  return name === undefined ? Object.keys(schemaFor(source).properties ?? {}) : [name];
}

function schemaFor(source: SchemaSource): JsonSchema {
  return createContract(source, { unknownFields: 'strict', where: 'a route' }).schema;
}

function pathNames(path: string): readonly { readonly name: string; readonly isRequired: boolean }[] {
  return [...path.matchAll(/\{([^}?]+)(\??)\}/g)].map(([, name = '', mark]) => ({
    name,
    isRequired: mark === '',
  }));
}

function readParameter(
  parameter: RouteParameter,
  path: string,
  texts: ReadonlyMap<string, string>,
): Place | LeftOut | undefined {
  const { kind, name } = parameter;
  if (kind === KIND.file || kind === KIND.files) return leaveOut('upload');
  const place = PLACES[kind];
  if (place === undefined) return kind === KIND.rawBody ? unknownInput(parameter, 'the raw body') : undefined;
  if (place === 'header') return readHeader(parameter, texts);
  return name === undefined ? readWhole(parameter, place) : readNamed(parameter, place, name, path, texts);
}

function readHeader({ name, pipes }: RouteParameter, texts: ReadonlyMap<string, string>): Place | undefined {
  if (name === undefined || !isOfferedHeader(name)) return undefined;
  const { schema, isRequired } = schemaOfPipes(pipes, { type: 'string' });
  const place: Place = { in: 'header', name: name.toLowerCase(), source: schema, isRequired, texts };
  // Without a pipe, nothing says that the route needs it
  return isRequired || pipes.length > 0 ? place : { ...place, isOptIn: true };
}

/** `@Body() input`, `@Query() filter`, `@Param() reference`. */
function readWhole(parameter: RouteParameter, place: PlaceIn): Place | LeftOut | undefined {
  const { type, schema, pipes } = parameter;
  const source = isStandardSchema(schema) ? schema : (sourceInPipes(pipes, place) ?? type);
  if (isStandardSchema(source) || isJsonSchema(source)) return { in: place, source, isRequired: true };
  if (place === 'path' && !isDto(source)) return undefined;
  if (!isDto(source)) return unknownInput(parameter, `@${place === 'body' ? 'Body' : 'Query'}()`);
  try {
    schemaFor(source);
  } catch (thrown) {
    if (!ToolwrightError.is(thrown)) throw thrown;
    return leaveOut('unknown-input', `${source.name} ${thrown.what.replace(/\.$/, '')}; ${thrown.fix}`);
  }
  return { in: place, source, isRequired: true, texts: readPropertyTexts(source) };
}

function unknownInput({ index }: RouteParameter, what: string): LeftOut {
  return leaveOut(
    'unknown-input',
    `parameter ${String(index + 1)}, ${what}, has a type that leaves nothing at run time; declare a class with validators for it`,
  );
}

const PLAIN_TYPES: ReadonlySet<unknown> = new Set([
  Object,
  Array,
  String,
  Number,
  Boolean,
  Promise,
  Date,
  Map,
  Set,
]);

function isDto(type: unknown): type is Class {
  return isClass(type) && !PLAIN_TYPES.has(type);
}

function isJsonSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}

/** `@Param('id', ParseIntPipe) id`. */
function readNamed(
  { type, pipes, schema, ...parameter }: RouteParameter,
  place: PlaceIn,
  name: string,
  path: string,
  texts: ReadonlyMap<string, string>,
): Place | LeftOut {
  const own = pathNames(path).find((each) => each.name === name);
  const base = isStandardSchema(schema) ? schema : sourceOfType(type);
  if (base === undefined) return unknownInput({ ...parameter, type, pipes, schema }, `'${name}'`);
  if (isDto(base) || isStandardSchema(base))
    return { in: place, name, source: base, isRequired: place === 'path', texts };
  const read = schemaOfPipes(pipes, base);
  const isText = place === 'path' && read.schema.type === 'string' && read.schema['format'] === undefined;
  return {
    in: place,
    name,
    source: isText && read.schema.enum === undefined ? { ...read.schema, minLength: 1 } : read.schema,
    isRequired: place === 'path' ? own?.isRequired !== false : read.isRequired,
    texts,
  };
}

function sourceOfType(type: unknown): SchemaSource | undefined {
  if (type === String || type === Object || type === undefined) return { type: 'string' };
  if (type === Number) return { type: 'number' };
  if (type === Boolean) return { type: 'boolean' };
  if (type === Array) return { type: 'array', items: { type: 'string' } };
  if (type === Date) return { type: 'string', format: 'date-time' };
  return isDto(type) ? type : undefined;
}

interface PipeFacts {
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** What the members of Nest's pipes say; each of them is `protected`, and the same in 11 and 12. */
interface PipeMembers {
  readonly enumType?: Readonly<Record<string, unknown>>;
  readonly defaultValue?: unknown;
  readonly options?: { readonly optional?: boolean; readonly items?: unknown; readonly schema?: unknown };
}

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  ParseIntPipe: { type: 'integer' },
  ParseFloatPipe: { type: 'number' },
  ParseBoolPipe: { type: 'boolean' },
  ParseUUIDPipe: { type: 'string', format: 'uuid' },
  ParseDatePipe: { type: 'string', format: 'date-time' },
};

/** By the names of the pipes: an application may have another copy of Nest than a class here would be of. */
function schemaOfPipes(pipes: readonly unknown[], base: JsonSchema): PipeFacts {
  let facts: PipeFacts = { schema: base, isRequired: false };
  for (const pipe of pipes) {
    const name = pipeName(pipe);
    const { enumType, defaultValue, options } = (isClass(pipe) ? {} : pipe) as PipeMembers;
    const isRequired = options?.optional !== true;
    const scalar = SCALARS[name];
    if (scalar !== undefined) facts = { schema: { ...scalar, ...defaultIn(facts.schema) }, isRequired };
    else if (name === 'ParseEnumPipe')
      facts = { schema: { ...enumSchema(enumType), ...defaultIn(facts.schema) }, isRequired };
    else if (name === 'ParseArrayPipe')
      facts = { schema: { ...listSchema(options?.items), ...defaultIn(facts.schema) }, isRequired };
    else if (name === 'DefaultValuePipe')
      facts = { schema: withDefault(facts.schema, defaultValue), isRequired: false };
    if (Object.hasOwn(facts.schema, 'default')) facts = { ...facts, isRequired: false };
  }
  return facts;
}

function defaultIn({ default: value }: JsonSchema): JsonSchema {
  return value === undefined ? {} : { default: value };
}

function withDefault(schema: JsonSchema, value: unknown): JsonSchema {
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value) || Array.isArray(value);
  return isPlain ? { ...schema, default: value } : schema;
}

function enumSchema(type: Readonly<Record<string, unknown>> = {}): JsonSchema {
  // An enum of numbers has each of its names as a value, too
  const values = Object.entries(type).flatMap(([name, value]) =>
    typeof type[String(value)] === 'number' && /^\D/.test(String(value)) && !/^\D/.test(name) ? [] : [value],
  );
  return { enum: [...new Set(values)] };
}

function listSchema(items: unknown): JsonSchema {
  const plain = items === undefined ? { type: 'string' } : sourceOfType(items);
  return {
    type: 'array',
    items: plain === undefined || isClass(plain) ? { type: 'string' } : (plain as JsonSchema),
  };
}

/** A list of a body: `@Body(new ParseArrayPipe({ items: CreateTask }))`. */
function sourceInPipes(pipes: readonly unknown[], place: PlaceIn): SchemaSource | undefined {
  const list = pipes.find((pipe) => pipeName(pipe) === 'ParseArrayPipe') as PipeMembers | undefined;
  const items = list?.options?.items;
  if (place !== 'body' || list === undefined || items === undefined) return undefined;
  if (!isDto(items)) return listSchema(items);
  return { type: 'array', items: schemaFor(items) };
}

export function pipeName(pipe: unknown): string {
  return isClass(pipe) ? pipe.name : ((pipe as object | undefined)?.constructor.name ?? '');
}
