import { hasDefault } from '../../schema/keywords.ts';
import { isSchema, toSchemaObject, type Schema } from '../../schema/subschemas.ts';
import type { Definitions } from '../../schema/definitions.ts';
import { ProblemList } from '../../errors/problem-list.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import type { ObjectSchema } from '../../shared/json-schema.ts';
import { joinedRequiredFields, NO_FIELDS, sourceFields, type FieldList } from '../fields/field-list.ts';
import type { TagCondition, TaggedBranch } from '../fields/tagged-branches.ts';
import { kindsOf, readForm, type Form, type Kind, type Shape } from '../fields/value-form.ts';
import type { ActionFacts, ToolFacts } from './prepared-tool.ts';

/** What the actions of a tool take, in short. */
export interface ToolSignatures {
  /** `All need: workspaceId.` and `All take: verbose.`, where there are such fields. */
  readonly shared: readonly string[];
  /** `customers.find(text?, limit?)`: one for each action, in their order. */
  readonly actions: readonly string[];
}

/** Optional parameters that a signature lists; the schema has the others. */
const MAX_OPTIONAL_COUNT = 12;
/** Shapes of an input that a signature lists. */
const MAX_SHAPE_COUNT = 4;
/** Values of a parameter that a signature lists. */
const MAX_VALUE_COUNT = 6;
/** A longer default is not repeated. */
const MAX_DEFAULT_LENGTH = 60;

const IDENTIFIER = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;
/** A key that stands for itself before a parenthesis. */
const PLAIN_KEY = /^[^\s()"#\p{C}]+$/u;

/** A schema, and what its references lead to. */
interface Rule {
  readonly schema: Schema;
  readonly definitions: Definitions;
}

/** A field of an action. */
interface Parameter extends Rule {
  readonly name: string;
  readonly isRequired: boolean;
}

/** The fields that all actions share, and what is published of all fields. */
interface SignatureScene {
  readonly common: FieldList;
  readonly definitions: Definitions;
  /** The shared fields that stand in lines of their own. */
  readonly stated: ReadonlySet<string>;
  readonly published: ObjectSchema;
  /** Whether a default is written that the published schema has, too. */
  readonly hasDefaults: boolean;
}

/** Writes the signatures of a tool beside the schema that it publishes: what stands in the schema is not repeated. */
export function writeSignatures(
  { common: schema, actions, where, defaults }: Pick<ToolFacts, 'common' | 'actions' | 'where' | 'defaults'>,
  published: ObjectSchema,
): ToolSignatures {
  const { lists, definitions } = sourceFields([{ schema, where }], new ProblemList());
  const [common = NO_FIELDS] = lists;
  const names = [...common.fields.keys()];
  const always = new Set(published.required);
  const isNeeded = (name: string): boolean =>
    common.required.has(name) || actions.some(({ own }) => joinedRequiredFields(own).includes(name));
  const needed = names.filter((name) => always.has(name));
  const taken = names.filter((name) => !isNeeded(name));
  const hasDefaults = defaults === 'inline';
  const scene = { common, definitions, stated: new Set([...needed, ...taken]), published, hasDefaults };
  const listed = (verb: string, list: readonly string[]): readonly string[] => {
    const texts = list.map((name) => {
      const value = hasDefaults ? defaultText(common.fields.get(name) ?? true) : '';
      return `${nameText(name)}${value}${conditionText(name, common.branches)}`;
    });
    return texts.length === 0 ? [] : [`All ${verb}: ${texts.join(', ')}.`];
  };
  return {
    shared: [...listed('need', needed), ...listed('take', taken)],
    actions: actions.map((action) => `${keyText(action.key)}(${parameterList(action, scene)})`),
  };
}

function parameterList(action: ActionFacts, scene: SignatureScene): string {
  const { branches = [], alternatives = [] } = action;
  const parameters = parametersOf(action, scene);
  // Branches that a value selects are conditions; the others are shapes
  const shapes = branches.length > 0 ? [] : alternatives;
  const inShape = new Set(shapes.flat());
  const conditionOf = ({ name }: Parameter): string => conditionText(name, branches);
  const write = (parameter: Parameter, mark: '' | '?'): string => parameterText(parameter, mark, scene);
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const shapeMember = (name: string): string => {
    const parameter = byName.get(name);
    return parameter === undefined ? nameText(name) : write(parameter, '');
  };
  const others = parameters.filter(({ name, isRequired }) => !isRequired && !inShape.has(name));
  const optional = others.filter((parameter) => conditionOf(parameter) === '');
  const isMore = optional.length > MAX_OPTIONAL_COUNT;
  return [
    ...parameters.filter(({ isRequired }) => isRequired).map((parameter) => write(parameter, '')),
    ...shapesText(shapes, shapeMember),
    ...others
      .filter((parameter) => conditionOf(parameter) !== '')
      .map((parameter) => `${write(parameter, '')}${conditionOf(parameter)}`),
    ...optional.slice(0, MAX_OPTIONAL_COUNT).map((parameter) => write(parameter, '?')),
    ...(isMore ? [`… ${String(optional.length - MAX_OPTIONAL_COUNT)} more`] : []),
  ].join(', ');
}

/** The fields of an action without those that all actions share, unless its own rule is another one. */
function parametersOf(
  { own }: ActionFacts,
  { common, definitions, stated, published }: SignatureScene,
): readonly Parameter[] {
  const properties = own?.properties ?? {};
  const required = new Set(joinedRequiredFields(own));
  const ownDefinitions: Definitions = new Map(Object.entries(own?.$defs ?? {}));
  const shared = [...common.fields]
    .filter(([name]) => !stated.has(name) && !Object.hasOwn(properties, name))
    .map(([name, schema]) => ({ name, schema, definitions, isRequired: common.required.has(name) }));
  const declared = Object.entries(properties)
    .map(([name, schema]) => ({
      name,
      schema,
      definitions: ownDefinitions,
      isRequired: required.has(name),
    }))
    .filter((parameter) => !stated.has(parameter.name) || isRuled(parameter, published));
  return [...shared, ...declared];
}

/** `(card, cvc) | iban`: the fields of which one list has to be there. */
function shapesText(
  shapes: readonly (readonly string[])[],
  write: (name: string) => string,
): readonly string[] {
  if (shapes.length === 0) return [];
  if (shapes.length > MAX_SHAPE_COUNT) return [`one of ${String(shapes.length)} shapes`];
  const texts = shapes.map((names) => {
    const members = names.map(write).join(', ');
    return names.length === 1 ? members : `(${members})`;
  });
  return [texts.join(' | ')];
}

/** ` (if kind="phone")` for a field that only some branches require; empty for others. */
function conditionText(name: string, branches: readonly TaggedBranch[]): string {
  const conditions = branches
    .filter(({ required }) => required.includes(name))
    .map(({ when }) => when.map(oneConditionText).join(' and '));
  return conditions.length === 0 ? '' : ` (if ${[...new Set(conditions)].join(' or ')})`;
}

function oneConditionText({ field, values }: TagCondition): string {
  return `${nameText(field)}=${values.map(jsonText).join('|')}`;
}

function parameterText(
  parameter: Parameter,
  mark: '' | '?',
  { published, hasDefaults }: Pick<SignatureScene, 'published' | 'hasDefaults'>,
): string {
  const { type, value: own } = ownRules(parameter, published);
  const value = hasDefaults ? defaultText(parameter.schema) : own;
  return `${nameText(parameter.name)}${value === '' ? mark : ''}${type}${value}`;
}

/** Whether an action has a rule for a field that the published schema does not say. */
function isRuled(parameter: Parameter, published: ObjectSchema): boolean {
  const { type, value } = ownRules(parameter, published);
  return type !== '' || value !== '';
}

/**
 * What the published schema does not say of a parameter: its type, where it is narrower, and its default, where other
 * actions have another one.
 */
function ownRules(parameter: Parameter, { properties = {}, $defs = {} }: ObjectSchema) {
  const merged = { schema: properties[parameter.name] ?? {}, definitions: new Map(Object.entries($defs)) };
  const form = formOf(parameter);
  const isOwn = isNarrower(form, formOf(merged), parameter, merged);
  return {
    type: isOwn ? `: ${typeText(form, parameter)}` : '',
    value: hasDefault(merged.schema) ? '' : defaultText(parameter.schema),
  };
}

/** `=10`; empty without a default, and for a long one. */
function defaultText(given: Schema): string {
  const schema = toSchemaObject(given);
  if (schema.default === undefined) return '';
  const text = jsonText(schema.default);
  return text.length > MAX_DEFAULT_LENGTH ? '' : `=${text}`;
}

function formOf({ schema, definitions }: Rule): Form {
  return readForm(schema, definitions);
}

/** Whether the one rule leaves out values or types that the other one admits. */
function isNarrower(own: Form, wide: Form, ownRule: Rule, wideRule: Rule): boolean {
  if (own === 'any' || own.length === 0) return false;
  if (wide === 'any') return true;
  const values = closedValues(own);
  if (values !== undefined) {
    const others = closedValues(wide);
    return others === undefined || others.length > values.length;
  }
  if (kindsOf(own).length < kindsOf(wide).length) return true;
  if (isInteger(own) && !isInteger(wide)) return true;
  const [items, wideItems] = [itemsOf(own, ownRule), itemsOf(wide, wideRule)];
  return (
    items !== undefined &&
    wideItems !== undefined &&
    isNarrower(formOf(items), formOf(wideItems), items, wideItems)
  );
}

/** All values of a form, each once; undefined where one of its types is open. */
function closedValues(form: readonly Shape[]): readonly unknown[] | undefined {
  const values = new Map<string, unknown>();
  for (const { kind, values: own } of form) {
    if (own === undefined && kind !== 'null') return undefined;
    for (const value of own ?? [null]) values.set(canonicalJson(value), value);
  }
  return [...values.values()];
}

function isInteger(form: readonly Shape[]): boolean {
  const numbers = form.filter(({ kind }) => kind === 'number');
  return numbers.length > 0 && numbers.every((shape) => shape.isInteger);
}

/** The rule for the items of arrays; undefined where the form admits no array. */
function itemsOf(form: readonly Shape[], { definitions }: Rule): Rule | undefined {
  const list = form.find(({ kind }) => kind === 'array');
  if (list === undefined) return undefined;
  const items = list.keywords.get('items');
  return { schema: isSchema(items) ? items : true, definitions };
}

/** A form in the manner of TypeScript: `"open"|"closed"`, `integer`, `string[]`. */
function typeText(form: Form, rule: Rule): string {
  if (form === 'any') return 'any';
  const values = closedValues(form);
  if (values !== undefined) {
    const more = values.length - MAX_VALUE_COUNT;
    const texts = values.slice(0, MAX_VALUE_COUNT).map(jsonText);
    return [...texts, ...(more > 0 ? [`… ${String(more)} more`] : [])].join('|');
  }
  return kindsOf(form)
    .map((kind) => kindText(kind, form, rule))
    .join('|');
}

function kindText(kind: Kind, form: readonly Shape[], rule: Rule): string {
  if (kind === 'number') return isInteger(form) ? 'integer' : 'number';
  const items = kind === 'array' ? itemsOf(form, rule) : undefined;
  if (items === undefined) return kind;
  const itemForm = formOf(items);
  if (itemForm === 'any' || itemForm.length === 0) return 'array';
  const text = typeText(itemForm, items);
  return text.includes('|') ? `(${text})[]` : `${text}[]`;
}

function nameText(name: string): string {
  return IDENTIFIER.test(name) ? name : jsonText(name);
}

function keyText(key: string): string {
  return PLAIN_KEY.test(key) ? key : jsonText(key);
}

/** JSON on one line: two separators of lines stand unescaped in JSON. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(/[\u2028\u2029]/g, (separator) =>
    separator === '\u2028' ? '\\u2028' : '\\u2029',
  );
}
