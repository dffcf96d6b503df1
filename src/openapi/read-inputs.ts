import { isOfferedHeader } from '../operations/http/headers.ts';
import type { Place, PlaceIn } from '../operations/operation.ts';
import type {
  BodyForm,
  BodyPart,
  ParameterForm,
  ParameterStyle,
  RequestForms,
} from '../operations/http/parameter-forms.ts';
import { definitionName } from '../schema/definitions.ts';
import { pointTo } from '../schema/pointer.ts';
import type { JsonSchema } from '../shared/json-schema.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { resolveReference, SchemaCopy } from './copy-schema.ts';
import { OpenApiFault } from './openapi-fault.ts';
import { isBytes, isForm, isJson, isMultipart, type DocumentOperation } from './read-operations.ts';

/** What an operation takes, and how it is written. */
export interface OperationInputs {
  readonly inputs: readonly Place[];
  readonly forms: RequestForms;
}

/** Reads the parameters and the body of an operation. @throws OpenApiFault for a part that cannot be sent */
export function readInputs(
  root: PlainObject,
  operation: DocumentOperation,
  texts: { readonly isFull: boolean },
): OperationInputs {
  const schemas = new SchemaCopy(root, texts);
  const parameters = readParameters(root, operation);
  checkPath(operation, parameters);
  const properties = parameters.map((parameter) => readProperty(schemas, parameter));
  const body = readBody(root, operation, schemas);
  // Copied last, because each copy may need further definitions
  const definitions = schemas.definitions();
  const inputs = [
    ...(['path', 'query', 'cookie'] as const).flatMap((place) => joinedPlace(place, properties, definitions)),
    ...properties.filter((each) => each.in === 'header').map((each) => headerPlace(each, definitions)),
    ...(body === undefined ? [] : [body.place(definitions)]),
  ];
  const forms = new Map(parameters.map(({ in: place, name, form }) => [`${place} ${name}`, form] as const));
  return { inputs, forms: { parameters: forms, ...(body === undefined ? {} : { body: body.form }) } };
}

/** The parameters of one place, as one object. */
function joinedPlace(
  place: Place['in'],
  all: readonly Property[],
  definitions: PlainObject,
): readonly Place[] {
  const properties = all.filter((each) => each.in === place);
  if (properties.length === 0) return [];
  const required = properties.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const source = {
    type: 'object',
    properties: Object.fromEntries(properties.map(({ name, schema }) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
    ...neededBy(definitions, properties),
  };
  return [{ in: place, source: source as JsonSchema, isRequired: true }];
}

/** Each by itself: one that is not required is offered where settings name it. */
function headerPlace({ name, schema, isRequired }: Property, definitions: PlainObject): Place {
  const source = { ...(schema as PlainObject), ...neededBy(definitions, schema) } as JsonSchema;
  return { in: 'header', name, source, isRequired, ...(isRequired ? {} : { isOptIn: true }) };
}

/** Definitions go with the part that refers to them: whether it does is in its text. */
function neededBy(definitions: PlainObject, part: unknown): PlainObject {
  return JSON.stringify(part).includes('"#/$defs/') ? definitions : {};
}

interface Parameter {
  readonly in: Exclude<PlaceIn, 'body'>;
  readonly name: string;
  readonly isRequired: boolean;
  readonly form: ParameterForm;
  readonly schema: unknown;
  readonly description: string | undefined;
  readonly pointer: string;
}

/** Those of the operation replace those of its path (OpenAPI 3.1, 4.8.9.1, Path Item Object). */
function readParameters(
  root: PlainObject,
  { value, shared, pointer }: DocumentOperation,
): readonly Parameter[] {
  const own = Array.isArray(value['parameters']) ? (value['parameters'] as readonly unknown[]) : [];
  const path = pointer.slice(0, pointer.lastIndexOf('/'));
  const placed = [
    ...shared.map((given, index) => [given, pointTo(path, 'parameters', index)] as const),
    ...own.map((given, index) => [given, pointTo(pointer, 'parameters', index)] as const),
  ];
  const found = new Map<string, Parameter>();
  for (const [given, place] of placed) {
    const parameter = readParameter(root, given, place);
    if (isOffered(parameter)) found.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  return [...found.values()];
}

function isOffered({ in: place, name, isRequired }: Parameter): boolean {
  if (place === 'cookie') return isRequired;
  return place !== 'header' || isOfferedHeader(name);
}

const PLACES: readonly unknown[] = ['path', 'query', 'header', 'cookie'];

function readParameter(root: PlainObject, given: unknown, at: string): Parameter {
  const { value, pointer } = resolveReference(root, given, at);
  if (!isPlainObject(value)) throw new OpenApiFault('TW_OPENAPI_OPERATION', at, 'is not a parameter');
  const { in: place, name, required, description, content } = value;
  if (typeof name !== 'string' || !isName(place, name)) {
    const said = `${JSON.stringify(name)} in ${JSON.stringify(place)}`;
    throw new OpenApiFault('TW_OPENAPI_OPERATION', pointer, `is a parameter ${said}`);
  }
  const media = isPlainObject(content) ? Object.entries(content)[0] : undefined;
  const [type = '', inner] = media ?? [];
  return {
    in: place as Parameter['in'],
    // Names of headers have no case (RFC 9110, 5.1)
    name: place === 'header' ? name.toLowerCase() : name,
    isRequired: place === 'path' || required === true,
    form: readForm(value, place as Parameter['in'], isJson(type)),
    schema: media === undefined ? value['schema'] : isPlainObject(inner) ? inner['schema'] : undefined,
    description: typeof description === 'string' ? description : undefined,
    pointer,
  };
}

/** RFC 9110, 5.6.2: what else would end the name, and begin another one. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

function isName(place: unknown, name: string): boolean {
  return place === 'header' || place === 'cookie' ? TOKEN.test(name) : PLACES.includes(place);
}

const STYLES: Readonly<Record<Parameter['in'], ParameterStyle>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
};

/** OpenAPI 3.1, 4.8.12.2: `form` is exploded where nothing is said, and no other style is. */
function readForm(value: PlainObject, place: Parameter['in'], isJsonText: boolean): ParameterForm {
  const style = (value['style'] ?? STYLES[place]) as ParameterStyle;
  const explode = value['explode'];
  return {
    style,
    isExploded: typeof explode === 'boolean' ? explode : style === 'form' || style === 'deepObject',
    keepsReserved: value['allowReserved'] === true,
    isMultiSegment:
      place === 'path' && (value['x-multi-segment'] === true || value['allowReserved'] === true),
    isJson: isJsonText,
  };
}

interface Property {
  readonly in: Parameter['in'];
  readonly name: string;
  readonly schema: unknown;
  readonly isRequired: boolean;
}

function readProperty(schemas: SchemaCopy, parameter: Parameter): Property {
  const { name, isRequired, schema = {}, description, pointer } = parameter;
  const copied = schemas.copy(schema, pointTo(pointer, 'schema')) as PlainObject;
  const { description: told } = schemas.copy({ description }, pointer) as PlainObject;
  return {
    in: parameter.in,
    name,
    isRequired,
    schema:
      told === undefined || copied['description'] !== undefined ? copied : { ...copied, description: told },
  };
}

/** A value of the path that nothing describes cannot be sent, and a query in a path is none. */
function checkPath({ path, pointer }: DocumentOperation, parameters: readonly Parameter[]): void {
  if (/[?#]/.test(path)) throw new OpenApiFault('TW_OPENAPI_OPERATION', pointer, 'has a query in its path');
  const known = new Set(parameters.filter((each) => each.in === 'path').map(({ name }) => name));
  for (const [, name = ''] of path.matchAll(/\{([^}]+)\}/g)) {
    if (!known.has(name))
      throw new OpenApiFault('TW_OPENAPI_OPERATION', pointer, `has no parameter for {${name}} of its path`);
  }
}

interface Body {
  readonly form: BodyForm;
  readonly place: (definitions: PlainObject) => Place;
}

function readBody(
  root: PlainObject,
  { method, value, pointer }: DocumentOperation,
  schemas: SchemaCopy,
): Body | undefined {
  // A body of a read has no meaning (RFC 9110, 9.3.1), and is not sent
  if (value['requestBody'] === undefined || method === 'GET' || method === 'HEAD') return undefined;
  const { value: body, pointer: place } = resolveReference(
    root,
    value['requestBody'],
    pointTo(pointer, 'requestBody'),
  );
  const content = isPlainObject(body) ? body['content'] : undefined;
  if (!isPlainObject(body) || !isPlainObject(content)) return undefined;
  const form = chooseForm(Object.keys(content), place);
  const media = content[form.written];
  const at = pointTo(place, 'content', form.written, 'schema');
  const given = isPlainObject(media) ? media['schema'] : undefined;
  const schema = given === undefined ? {} : schemas.copyWhole(given, at);
  const isRequired = body['required'] === true;
  const parts = form.kind === 'multipart' ? readParts(schema, media, schemas.definitions(), at) : [];
  const source = (definitions: PlainObject): JsonSchema => {
    if (form.kind === 'bytes') return fileSchema(schema);
    return withFiles(bodySource(schema, form, { isRequired, definitions }), parts, definitions);
  };
  return {
    form: parts.length === 0 ? form : { ...form, parts },
    place: (definitions) => ({ in: 'body', source: source(definitions), isRequired }),
  };
}

function chooseForm(types: readonly string[], pointer: string): BodyForm & { readonly written: string } {
  const json = types.find(isJson) ?? types.find((type) => type === '*/*');
  if (json !== undefined)
    return { kind: 'json', written: json, mediaType: json === '*/*' ? 'application/json' : json };
  const form = types.find(isForm);
  if (form !== undefined) return { kind: 'form', written: form, mediaType: form };
  const text = types.find((type) => /^text\//i.test(type));
  if (text !== undefined) return { kind: 'text', written: text, mediaType: text };
  const multipart = types.find(isMultipart);
  if (multipart !== undefined)
    return { kind: 'multipart', written: multipart, mediaType: 'multipart/form-data' };
  const bytes = types.find(isBytes);
  if (bytes !== undefined) return { kind: 'bytes', written: bytes, mediaType: bytes };
  throw new OpenApiFault(
    'TW_OPENAPI_OPERATION',
    pointer,
    `has a body of ${types.join(', ')}, which cannot be sent`,
  );
}

/** What the document says of the parts of a body. @throws OpenApiFault where it does not say which there are */
function readParts(
  given: unknown,
  media: unknown,
  definitions: PlainObject,
  pointer: string,
): readonly BodyPart[] {
  const schema = joinAll(given, definitions);
  const properties = isPlainObject(schema) ? schema['properties'] : undefined;
  if (!isPlainObject(properties) || IN_PLACE.some((name) => Object.hasOwn(schema as PlainObject, name)))
    throw new OpenApiFault('TW_OPENAPI_OPERATION', pointer, 'has a body of parts, and does not list them');
  const encoding = (isPlainObject(media) ? media['encoding'] : undefined) ?? {};
  return Object.entries(properties).map(([name, property]) => {
    const whole = definitionFor(property, definitions);
    const each =
      isPlainObject(whole) && whole['items'] !== undefined
        ? definitionFor(whole['items'], definitions)
        : whole;
    const isFile = isFileSchema(each);
    const said = Object.hasOwn(encoding, name) ? (encoding as PlainObject)[name] : undefined;
    const type = [
      isPlainObject(said) ? said['contentType'] : undefined,
      isFile ? (each as PlainObject)['contentMediaType'] : undefined,
    ].find((text) => typeof text === 'string' && MEDIA_TYPE.test(text));
    return { name, isFile, ...(type === undefined ? {} : { mediaType: type as string }) };
  });
}

/** One type: a list or `image/*` says only which there may be. */
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;

/** Bytes have a media type and no encoding (OpenAPI 3.1, 4.8.14.4, Considerations for multipart Content). */
function isFileSchema(schema: unknown): boolean {
  if (!isPlainObject(schema) || schema['contentEncoding'] !== undefined) return false;
  const type = schema['contentMediaType'];
  return typeof type === 'string' && !isJson(type) && !/^text\//i.test(type);
}

/** Models write files as base64: JSON has no bytes. Rules about the length of the bytes would be wrong for that. */
function fileSchema(given: unknown): JsonSchema {
  const told = isPlainObject(given) ? given['description'] : undefined;
  const description = typeof told === 'string' ? `${told} (a file, as base64)` : 'The file, as base64';
  return { type: 'string', contentEncoding: 'base64', description };
}

function withFiles(source: JsonSchema, parts: readonly BodyPart[], definitions: PlainObject): JsonSchema {
  const files = new Set(parts.flatMap(({ name, isFile }) => (isFile ? [name] : [])));
  if (files.size === 0) return source;
  const properties = Object.entries(source.properties ?? {}).map(([name, property]) => {
    if (!files.has(name)) return [name, property] as const;
    const { items, ...list } = definitionFor(property, definitions) as JsonSchema;
    return [name, items === undefined ? fileSchema(list) : { ...list, items: fileSchema(items) }];
  });
  return { ...source, properties: Object.fromEntries(properties) as Record<string, JsonSchema> };
}

/** Fields of one object, where the body is one; else the whole is one field. */
function bodySource(
  given: unknown,
  { kind }: BodyForm,
  { isRequired, definitions }: { readonly isRequired: boolean; readonly definitions: PlainObject },
): JsonSchema {
  const schema = kind === 'text' ? given : joinAll(given, definitions);
  const whole = isPlainObject(schema) ? schema : {};
  const own = neededBy(definitions, whole);
  const isObject = isPlainObject(whole['properties']) && kind !== 'text';
  if (!isObject || IN_PLACE.some((name) => Object.hasOwn(whole, name))) return { ...whole, ...own };
  const { required, nullable: _nullable, ...rest } = whole;
  return {
    ...rest,
    type: 'object',
    // Where no body is needed, none of its fields is
    ...(isRequired && required !== undefined ? { required } : {}),
    additionalProperties: whole['additionalProperties'] ?? false,
    ...own,
  } as JsonSchema;
}

const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', '$ref'];

/** `allOf` of objects, as documents extend types, as one object. What is more than that stays. */
function joinAll(schema: unknown, definitions: PlainObject): unknown {
  if (!isPlainObject(schema) || !Array.isArray(schema['allOf'])) return schema;
  const { allOf, ...rest } = schema;
  const resolved = (allOf as readonly unknown[]).map((part) =>
    joinAll(definitionFor(part, definitions), definitions),
  );
  const all = [...resolved, ...(Object.keys(rest).some((name) => name !== 'description') ? [rest] : [])];
  if (!all.every(isPlainFields)) return schema;
  const names = all.flatMap(({ properties }) => Object.keys(properties));
  if (new Set(names).size < names.length) return schema;
  const required = all.flatMap((part) => part.required ?? []);
  return {
    type: 'object',
    properties: Object.assign({}, ...all.map(({ properties }) => properties)) as PlainObject,
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
  };
}

function definitionFor(part: unknown, definitions: PlainObject): unknown {
  const { $defs = {} } = definitions;
  const reference = isPlainObject(part) ? part['$ref'] : undefined;
  if (typeof reference !== 'string') return part;
  return isPlainObject($defs) ? $defs[definitionName(reference)] : part;
}

interface PlainFields {
  readonly properties: PlainObject;
  readonly required?: readonly string[];
}

const FIELDS = new Set(['type', 'properties', 'required', 'description', 'additionalProperties']);

function isPlainFields(part: unknown): part is PlainFields {
  if (!isPlainObject(part) || !isPlainObject(part['properties'])) return false;
  return part['additionalProperties'] !== false && Object.keys(part).every((name) => FIELDS.has(name));
}

/** The schema of what an operation answers as JSON; undefined where the document says none. @throws OpenApiFault */
export function readAnswerSchema(
  root: PlainObject,
  { value, pointer }: DocumentOperation,
): JsonSchema | undefined {
  const { responses } = value;
  const status = isPlainObject(responses)
    ? Object.keys(responses).find((name) => /^2/.test(name))
    : undefined;
  if (status === undefined) return undefined;
  const at = pointTo(pointer, 'responses', status);
  const { value: response, pointer: place } = resolveReference(root, (responses as PlainObject)[status], at);
  const content = isPlainObject(response) ? response['content'] : undefined;
  const type = isPlainObject(content) ? Object.keys(content).find(isJson) : undefined;
  const media = type === undefined ? undefined : (content as PlainObject)[type];
  const given = isPlainObject(media) ? media['schema'] : undefined;
  if (type === undefined || given === undefined) return undefined;
  const schemas = new SchemaCopy(root, { hidden: 'writeOnly' });
  const schema = schemas.copyWhole(given, pointTo(place, 'content', type, 'schema'));
  return { ...(schema as PlainObject), ...schemas.definitions() };
}
