import { makeIssue, refused, type CheckOutcome, type Issue } from '../call/issue.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { canonicalJson } from '../shared/canonical-json.ts';
import { deepCopy, deepFreeze } from '../shared/deep-freeze.ts';
import type { JsonSchema, ObjectSchema } from '../shared/json-schema.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import type { SchemaSource, StandardSchema } from '../shared/schema-source.ts';
import { OWN_CONTRACT, type CreateContract, type OwnContract } from '../compile/contracts/create-contract.ts';
import { createNullDropper } from '../compile/contracts/absent-nulls.ts';
import type { Contract, ContractOptions } from '../compile/contracts/contract.ts';
import { omitNames } from '../compile/contracts/field-names.ts';

/** One part of an input that is sent on: its source, and the names that its fields have in the input. */
export interface InputPart {
  readonly source: SchemaSource;
  /** Makes the whole value of the source one field of the input. */
  readonly field?: { readonly name: string; readonly isRequired: boolean };
  /** The names of its fields in the input, where they differ; undefined leaves a field out. */
  readonly renamed?: ReadonlyMap<string, string | undefined>;
  /** Descriptions of fields that have none of their own. */
  readonly texts?: ReadonlyMap<string, string>;
  /** Rules of fields beyond those of the source, for values that cannot be sent: `enum` or `minItems`. */
  readonly narrowed?: ReadonlyMap<string, NarrowedField>;
}

/** What is left of the values of a field. */
export interface NarrowedField {
  /** The only values that can be sent. */
  readonly enum?: readonly unknown[];
  /** How many items a list has at least. */
  readonly minItems?: number;
  /** Why, for models. */
  readonly description: string;
}

/**
 * A source of several parts, for inputs that are sent on as they came: each part is checked by its own contract, and the
 * handler gets the arguments and not what the contracts made of them.
 */
export function joinSources(parts: readonly InputPart[]): StandardSchema {
  const validate = (): never => {
    throw new TypeError('An input of several parts is checked by its contracts');
  };
  const own: OwnContract[typeof OWN_CONTRACT] = (options, create) =>
    createJoinedContract(source, parts, options, create);
  const source: StandardSchema & OwnContract = Object.freeze({
    '~standard': { version: 1 as const, vendor: 'toolwright', validate },
    [OWN_CONTRACT]: own,
  });
  return source;
}

/** The contract of a source of several parts. A field that several parts have is checked by each of them. */
function createJoinedContract(
  source: SchemaSource,
  parts: readonly InputPart[],
  { without = [], ...options }: ContractOptions,
  create: CreateContract,
): Contract {
  // The scanner has not seen the classes of parts
  const made = parts.map((part) => {
    const leftOut = [...(part.renamed ?? [])].flatMap(([name, field]) => (field === undefined ? [name] : []));
    const own = { ...options, isScanned: false, ...(leftOut.length === 0 ? {} : { without: leftOut }) };
    return placePart(part, create(part.source, own));
  });
  const schema = omitNames(joinObjects(made, options.where), without);
  const all = [...new Set(made.flatMap(({ names }) => names))];
  const dropAbsentNulls = createNullDropper(schema);
  const redactions = made.flatMap(({ redaction }) => redaction ?? []);
  const settle = (outcomes: readonly CheckOutcome<object>[], value: PlainObject): CheckOutcome<object> => {
    const failure = outcomes.find((outcome) => outcome.failure !== undefined)?.failure;
    const issues = outcomes.flatMap((outcome) => (outcome.ok ? [] : outcome.issues));
    if (issues.length > 0) return { ...refused(issues), failure };
    const sent = deepCopy(value) as object;
    dropAbsentNulls(sent);
    return { ok: true, value: sent, failure };
  };
  return Object.freeze({
    source,
    type: undefined,
    schema,
    names: Object.freeze(all.filter((name) => !without.includes(name))),
    redeclared: Object.freeze(all.filter((name) => without.includes(name))),
    acceptsFurtherNames: made.some(({ acceptsFurtherNames }) => acceptsFurtherNames),
    looseFields: Object.freeze(made.flatMap(({ looseFields }) => looseFields)),
    warnings: Object.freeze(made.flatMap(({ warnings }) => warnings)),
    explanation: undefined,
    redaction: redactions.length === 0 ? undefined : joinRedactions(redactions),
    check: (value) => {
      const outcomes = made.map((part) => part.check(sliceFor(part, value, all)));
      return outcomes.some((outcome) => outcome instanceof Promise)
        ? Promise.all(outcomes.map(async (outcome) => outcome)).then((settled) => settle(settled, value))
        : settle(outcomes as readonly CheckOutcome<object>[], value);
    },
  } satisfies Contract);
}

type Redactions = readonly NonNullable<Contract['redaction']>[];

function joinRedactions(redactions: Redactions): NonNullable<Contract['redaction']> {
  return Object.freeze({
    names: new Set(redactions.flatMap(({ names }) => [...names])),
    valuesIn: (input) => {
      const values = redactions.map((redaction) => redaction.valuesIn(input));
      return values.includes(undefined) ? undefined : values.flatMap((each) => each ?? []);
    },
    issues: (issues, input) => redactions.reduce((left, redaction) => redaction.issues(left, input), issues),
    shown: (input) => redactions.reduce((shown, redaction) => redaction.shown(shown), input),
  } satisfies NonNullable<Contract['redaction']>);
}

/** The fields of a part, and for a part that accepts further names all that no other part has. */
function sliceFor(part: Contract, value: PlainObject, all: readonly string[]): PlainObject {
  const taken = Object.entries(value).filter(
    ([name]) => part.names.includes(name) || (part.acceptsFurtherNames && !all.includes(name)),
  );
  return Object.fromEntries(taken);
}

function placePart({ field, renamed, texts, narrowed }: InputPart, contract: Contract): Contract {
  const placed = field === undefined ? contract : wrapContract(contract, field);
  const named = renamed === undefined ? placed : renameFields(placed, renamed);
  const described = texts === undefined ? named : { ...named, schema: describeFields(named.schema, texts) };
  return narrowed === undefined ? described : narrowFields(described, narrowed);
}

function narrowFields(contract: Contract, narrowed: ReadonlyMap<string, NarrowedField>): Contract {
  const properties = Object.entries(contract.schema.properties ?? {}).map(([name, property]) => {
    const { description, ...rules } = narrowed.get(name) ?? { description: undefined };
    const text = [property.description, description].filter((part) => part !== undefined).join('. ');
    return [name, description === undefined ? property : { ...property, ...rules, description: text }];
  });
  const schema = {
    ...contract.schema,
    properties: Object.fromEntries(properties) as PlainObject,
  } as ObjectSchema;
  const refusals = (value: PlainObject): readonly Issue[] =>
    [...narrowed].flatMap(([name, { enum: only, minItems = 0, description }]) => {
      const item = value[name];
      const isRefused =
        (only !== undefined && item !== undefined && item !== null && !only.includes(item)) ||
        (Array.isArray(item) && item.length < minItems);
      return isRefused ? [makeIssue([name], description, { schema, input: value })] : [];
    });
  return {
    ...contract,
    schema,
    check: (value) => {
      const refusal = refusals(value);
      return refusal.length > 0 ? refused(refusal) : contract.check(value);
    },
  };
}

/** The whole value as one field. */
function wrapContract(contract: Contract, { name, isRequired }: NonNullable<InputPart['field']>): Contract {
  const { $defs, ...whole } = contract.schema as ObjectSchema & { readonly $defs?: PlainObject };
  const schema = {
    type: 'object' as const,
    properties: { [name]: whole },
    ...(isRequired ? { required: [name] } : {}),
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
  } as ObjectSchema;
  const missing: Issue = { path: name, message: 'is required', received: 'nothing' };
  return {
    ...contract,
    type: undefined,
    schema,
    names: [name],
    acceptsFurtherNames: false,
    redaction: undefined,
    check: (value) => {
      const inner = value[name];
      if (inner === undefined || (inner === null && !isRequired)) {
        return isRequired ? refused([missing]) : { ok: true, value: {} };
      }
      if (!isPlainObject(inner))
        return refused([makeIssue([name], 'must be an object', { schema, input: value })]);
      return mapIssues(contract.check(inner), (path) => join(name, path));
    },
  };
}

function renameFields(contract: Contract, renamed: NonNullable<InputPart['renamed']>): Contract {
  const fieldFor = (name: string): string | undefined => (renamed.has(name) ? renamed.get(name) : name);
  const { properties = {}, required = [], ...rest } = contract.schema;
  const fields = contract.names.flatMap((name) => {
    const field = fieldFor(name);
    return field === undefined ? [] : [{ name, field }];
  });
  const names = fields.map(({ field }) => field);
  return {
    ...contract,
    schema: {
      ...rest,
      properties: Object.fromEntries(fields.map(({ name, field }) => [field, properties[name] ?? {}])),
      required: required.flatMap((name) => fieldFor(name) ?? []),
    },
    names,
    check: (value) => {
      const further = Object.entries(value).filter(([name]) => !names.includes(name));
      // Where further names are accepted, one that stands for a field elsewhere would pass by its rules
      const taken = further.filter(([name]) => renamed.has(name));
      if (taken.length > 0) {
        return refused(taken.map(([name]) => ({ path: name, message: 'unknown field', accepted: names })));
      }
      const own = fields.flatMap(({ name, field }) =>
        Object.hasOwn(value, field) ? [[name, value[field]] as const] : [],
      );
      return mapIssues(contract.check(Object.fromEntries([...own, ...further])), (path) => {
        const [first = '', ...further] = path.split('.');
        return [fieldFor(first) ?? first, ...further].join('.');
      });
    },
  };
}

type Outcome = CheckOutcome<object> | Promise<CheckOutcome<object>>;

function mapIssues(outcome: Outcome, place: (path: string) => string): Outcome {
  if (outcome instanceof Promise) return outcome.then((settled) => mapIssues(settled, place));
  if (outcome.ok) return outcome;
  return { ...outcome, issues: outcome.issues.map((issue) => ({ ...issue, path: place(issue.path) })) };
}

function join(name: string, path: string): string {
  return path === '' ? name : `${name}.${path}`;
}

function describeFields(schema: ObjectSchema, texts: ReadonlyMap<string, string>): ObjectSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const description = texts.get(name);
    const isTold = description === undefined || property.description !== undefined;
    return [name, isTold ? property : { ...property, description }];
  });
  return { ...schema, properties: Object.fromEntries(properties) as NonNullable<ObjectSchema['properties']> };
}

const JOINED_KEYWORDS = ['type', 'properties', 'required', 'additionalProperties', '$defs'];
const SILENT_KEYWORDS = ['title', 'description'];

/** Whether a schema can stand beside others in one object: it has fields, and no rules over several of them. */
export function isJoinable(schema: JsonSchema): boolean {
  return Object.keys(schema).every((key) => [...JOINED_KEYWORDS, ...SILENT_KEYWORDS].includes(key));
}

function joinObjects(contracts: readonly Contract[], where: string): ObjectSchema {
  const [only] = contracts;
  if (only !== undefined && contracts.length === 1) return only.schema;
  const schemas = contracts.map(({ schema }) => schema as ObjectSchema & { readonly $defs?: PlainObject });
  const required = [...new Set(schemas.flatMap((schema) => schema.required ?? []))];
  const $defs: Record<string, unknown> = {};
  for (const [name, definition] of schemas.flatMap((schema) => Object.entries(schema.$defs ?? {}))) {
    if (Object.hasOwn($defs, name) && canonicalJson($defs[name]) !== canonicalJson(definition)) {
      throw twoDefinitions(name, where);
    }
    $defs[name] = definition;
  }
  const isClosed = schemas.every(({ additionalProperties }) => additionalProperties === false);
  return deepFreeze({
    type: 'object',
    properties: firstOfEach(schemas.map(({ properties = {} }) => properties)),
    ...(required.length === 0 ? {} : { required }),
    ...(isClosed ? { additionalProperties: false } : {}),
    ...(Object.keys($defs).length === 0 ? {} : { $defs }),
  }) as ObjectSchema;
}

/** Of a field that several parts have, the rule of the first is published: that of the path is the strictest. */
function firstOfEach(all: readonly PlainObject[]): PlainObject {
  const properties: Record<string, unknown> = {};
  for (const [name, property] of all.flatMap((each) => Object.entries(each))) properties[name] ??= property;
  return properties;
}

function twoDefinitions(name: string, where: string): ToolwrightError {
  return new ToolwrightError('TW_COMPILE_SCHEMA_UNSUPPORTED', {
    where,
    what: `has parts with two definitions of one name: ${name}.`,
    why: 'the published schema has one place for each name.',
    fix: 'rename one of the two classes',
  });
}
