import { createContract } from '../compile/contracts/create-contract.ts';
import { isJoinable, joinSources, type InputPart } from './joined-contract.ts';
import { isClass } from '../shared/class-type.ts';
import { canonicalJson } from '../shared/canonical-json.ts';
import type { JsonSchema, ObjectSchema } from '../shared/json-schema.ts';
import { isStandardSchema, type SchemaSource } from '../shared/schema-source.ts';
import type { Operation, Place, PlaceIn } from './operation.ts';
import type { OperationSettings } from './settings.ts';

/** Where the value of a field goes. */
export interface Target {
  readonly in: PlaceIn;
  readonly name: string;
}

/** The input of an action, and how its fields become a request. */
export interface CompiledInput {
  /** Undefined where the operation takes nothing. */
  readonly source: SchemaSource | undefined;
  /** Field → where its value goes. */
  readonly targets: ReadonlyMap<string, readonly Target[]>;
  /** The field that is the whole body; undefined where the body consists of fields. */
  readonly wholeBody: string | undefined;
  /** Whether a body is sent when no field of it is given. */
  readonly hasBody: boolean;
  /** Where fields go that no part declares; undefined where there are none. */
  readonly further: PlaceIn | undefined;
  readonly schemas: ReadonlyMap<string, JsonSchema>;
}

/** Arguments that belong to the framework. */
const RESERVED: ReadonlySet<string> = new Set(['action', 'confirmation', 'idempotencyKey']);
const ORDER: readonly PlaceIn[] = ['path', 'query', 'header', 'cookie', 'body'];
const MAX_TEXT_LENGTH = 160;

/** The argument by which a call chooses what stays of an answer. It stays out of the request. */
export const CHOSEN = 'fields';
const CHOSEN_FIELDS: JsonSchema = {
  type: 'object',
  properties: {
    [CHOSEN]: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 200 },
      minItems: 1,
      maxItems: 50,
      description: 'What stays of the answer: id, owner.name; all without it',
    },
  },
  additionalProperties: false,
};

/** One part with the fields that it declares. */
interface DraftPart {
  readonly place: PlaceIn;
  readonly part: InputPart;
  readonly schema: ObjectSchema;
  readonly isWhole: boolean;
  readonly isOpen: boolean;
}

interface DraftField {
  readonly name: string;
  readonly part: DraftPart;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** What settings say about an input. */
export type InputSettings = Pick<OperationSettings, 'hide' | 'headers' | 'select'>;

/** Makes one flat object of all that an operation takes. @throws ToolwrightError for a source that cannot be published */
export function compileInputs(
  { inputs, origin }: Pick<Operation, 'inputs' | 'origin'>,
  { hide: hidden = [], headers = [], select = false }: InputSettings = {},
): CompiledInput {
  const parts = inputs
    .filter((place) => isWanted(place, headers))
    .toSorted((left, right) => ORDER.indexOf(left.in) - ORDER.indexOf(right.in))
    .map((place) => draftPart(place, origin));
  const fields = parts.flatMap(fieldsIn);
  const names = nameFields(fields, hidden);
  const { targets, schemas } = placeFields(fields, names);
  const whole = fields.find(({ part }) => part.isWhole);
  const placed = parts.map((part) => placePart(part, names, fields));
  const all = select ? [...placed, { source: CHOSEN_FIELDS }] : placed;
  return Object.freeze({
    source: all.length === 0 ? undefined : joinSources(all),
    targets: select ? targets.set(CHOSEN, []) : targets,
    schemas,
    wholeBody: whole === undefined ? undefined : names.get(whole),
    hasBody: parts.some(({ place }) => place === 'body'),
    further: parts.find(({ isOpen }) => isOpen)?.place,
  });
}

function placeFields(
  fields: readonly DraftField[],
  names: ReadonlyMap<DraftField, string | undefined>,
): { readonly targets: Map<string, readonly Target[]>; readonly schemas: Map<string, JsonSchema> } {
  const targets = new Map<string, readonly Target[]>();
  const schemas = new Map<string, JsonSchema>();
  for (const field of fields) {
    const name = names.get(field);
    if (name === undefined) continue;
    targets.set(name, [...(targets.get(name) ?? []), { in: field.part.place, name: field.name }]);
    schemas.set(name, schemas.get(name) ?? field.schema);
  }
  return { targets, schemas };
}

function isWanted({ isOptIn, name }: Place, headers: readonly string[]): boolean {
  return isOptIn !== true || headers.some((header) => header.toLowerCase() === name);
}

function placePart(
  draft: DraftPart,
  names: ReadonlyMap<DraftField, string | undefined>,
  fields: readonly DraftField[],
): InputPart {
  const { part, schema } = draft;
  const own = fields.filter((field) => field.part === draft);
  const renamed = new Map(own.map((field) => [field.name, names.get(field)]));
  const isSame = own.every((field) => names.get(field) === field.name);
  return {
    ...part,
    ...(isSame ? {} : { renamed }),
    texts: textsFor(part, schema, names, own),
    ...(part.narrowed === undefined ? {} : { narrowed: narrowedFor(part.narrowed, names, own) }),
  };
}

function draftPart({ in: place, name, source, isRequired, ...rest }: Place, where: string): DraftPart {
  const { texts, narrowed } = rest;
  const own = { ...(texts === undefined ? {} : { texts }), ...(narrowed === undefined ? {} : { narrowed }) };
  if (name !== undefined) {
    const isJson = !isClass(source) && !isStandardSchema(source);
    const part: InputPart = isJson
      ? { source: objectAround(name, source, isRequired), ...own }
      : { source, field: { name, isRequired }, ...own };
    return drafted(place, part, where, false);
  }
  const isList = !isClass(source) && !isStandardSchema(source) && source.type !== 'object';
  if (isList)
    return drafted(place, { source: objectAround('body', source, isRequired), ...own }, where, true);
  const { schema } = createContract(source, { unknownFields: 'strict', where });
  if (isJoinable(schema)) return drafted(place, { source, ...own }, where, false);
  return drafted(place, { source, field: { name: 'body', isRequired: true }, ...own }, where, true);
}

function drafted(place: PlaceIn, part: InputPart, where: string, isWhole: boolean): DraftPart {
  // What the source itself says of its fields, to know which of them the texts are for
  const { texts: _texts, ...plain } = part;
  const { schema, acceptsFurtherNames } = createContract(joinSources([plain]), {
    unknownFields: 'strict',
    where,
  });
  return { place, part, schema, isWhole, isOpen: acceptsFurtherNames };
}

function objectAround(name: string, source: SchemaSource, isRequired: boolean): JsonSchema {
  // References lead to the definitions of the whole
  const { $defs, ...schema } = source as JsonSchema;
  return {
    type: 'object',
    properties: { [name]: schema },
    ...(isRequired ? { required: [name] } : {}),
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
  };
}

function fieldsIn(part: DraftPart): readonly DraftField[] {
  const required = new Set(part.schema.required);
  return Object.entries(part.schema.properties ?? {}).map(([name, schema]) => ({
    name,
    part,
    schema,
    isRequired: required.has(name),
  }));
}

/** The name of each field in the input; undefined for one that is not offered. */
function nameFields(
  fields: readonly DraftField[],
  hidden: readonly string[],
): ReadonlyMap<DraftField, string | undefined> {
  const names = new Map<DraftField, string | undefined>();
  for (const field of fields) {
    const others = fields.filter((other) => other !== field && other.name === field.name);
    const name = nameField(field, others);
    names.set(field, name !== undefined && hidden.includes(name) ? undefined : name);
  }
  return names;
}

function nameField(field: DraftField, others: readonly DraftField[]): string | undefined {
  const { name, part } = field;
  const apart = `${name}__${part.place}`;
  if (RESERVED.has(name)) return apart;
  if (others.length === 0 || others.every((other) => isSameRule(ruleFor(other), ruleFor(field)))) return name;
  const isBesidePath = others.some((other) => other.part.place === 'path');
  if (part.place === 'body' && isBesidePath && !field.isRequired) return undefined;
  const isLeft = others.every((other) => other.part.place === 'body' && !other.isRequired);
  return part.place === 'path' && isLeft ? name : apart;
}

/** That a value in a path is never empty is a matter of the path, and not another rule than that of the body. */
function ruleFor({ schema, part }: DraftField): JsonSchema {
  if (part.place !== 'path' || schema['minLength'] !== 1) return schema;
  const { minLength: _minLength, ...rest } = schema;
  return rest;
}

function isSameRule(left: JsonSchema, right: JsonSchema): boolean {
  const rule = ({ description: _description, title: _title, ...rest }: JsonSchema): string =>
    canonicalJson(rest);
  return rule(left) === rule(right);
}

function narrowedFor(
  narrowed: NonNullable<InputPart['narrowed']>,
  names: ReadonlyMap<DraftField, string | undefined>,
  fields: readonly DraftField[],
): NonNullable<InputPart['narrowed']> {
  return new Map(
    fields.flatMap((field) => {
      const name = names.get(field);
      const rule = narrowed.get(field.name);
      return name === undefined || rule === undefined ? [] : [[name, rule]];
    }),
  );
}

function textsFor(
  { texts }: InputPart,
  schema: ObjectSchema,
  names: ReadonlyMap<DraftField, string | undefined>,
  fields: readonly DraftField[],
): ReadonlyMap<string, string> {
  return new Map(
    fields.flatMap((field) => {
      const name = names.get(field);
      const text = texts?.get(field.name);
      const isTold = schema.properties?.[field.name]?.description !== undefined;
      return name === undefined || text === undefined || isTold ? [] : [[name, shortText(text)]];
    }),
  );
}

/** The first sentence, which is what a model needs of it. */
export function shortText(text: string): string {
  const [first = ''] = text.trim().split(/(?<=[.!?])\s|\n\s*\n/);
  const sentence = first.replace(/\s+/g, ' ').trim();
  return sentence.length > MAX_TEXT_LENGTH ? `${sentence.slice(0, MAX_TEXT_LENGTH - 1)}…` : sentence;
}
