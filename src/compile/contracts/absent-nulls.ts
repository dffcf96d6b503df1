import { DEEPEST_LEVEL } from '../../dto/check/copy-input.ts';
import { dereference } from '../../schema/references.ts';
import { likelyForms, tagsOf, type Tags } from '../../schema/schema-at.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isPlainObject } from '../../shared/json.ts';

/** Removes from a value, in place, every null that only means that a field was left out. */
type DropAbsentNulls = (value: unknown) => void;

/** One form of the objects that a schema describes: its own fields, and those of one branch of each union. */
interface Form {
  readonly properties: ReadonlyMap<string, JsonSchema>;
  readonly required: ReadonlySet<string>;
  /** The schemas of fields that it does not name. */
  readonly further: readonly JsonSchema[];
  /** Fields with listed values, which distinguish the form from the others. */
  readonly tags: Tags;
}

type Verdict = 'value' | 'missing' | 'absent';

// The branches of several unions multiply, and a branch may lead back to its own union.
const MOST_FORMS = 64;
const DEEPEST_BRANCH = 8;

/**
 * Finds the places in a JSON Schema where null only means absence: an optional field that does not admit null, and
 * a field that only another branch of a union has. Array items and nulls in required fields stay.
 */
export function createNullDropper(root: JsonSchema): DropAbsentNulls {
  const known = new Map<JsonSchema, readonly Form[]>();
  const formsOf = (schema: JsonSchema): readonly Form[] => {
    const forms = known.get(schema) ?? readForms(schema, root, 0);
    known.set(schema, forms);
    return forms;
  };
  const visit = (value: unknown, schemas: readonly JsonSchema[], depth: number): void => {
    if (schemas.length === 0 || depth > DEEPEST_LEVEL) return;
    if (Array.isArray(value)) {
      const items = distinct(schemas.flatMap((schema) => itemsOf(schema, root)));
      for (const item of value) visit(item, items, depth + 1);
    } else if (isPlainObject(value)) visitObject(value, schemas.flatMap(formsOf), depth);
  };
  const visitObject = (object: Record<string, unknown>, forms: readonly Form[], depth: number): void => {
    const meant = forms.length < 2 ? forms : likelyForms(forms, ({ tags }) => tags, object);
    for (const name of Object.keys(object)) {
      const item = object[name];
      if (item === null) {
        if (isAbsent(name, meant, forms, root)) Reflect.deleteProperty(object, name);
      } else if (typeof item === 'object') {
        const inner = meant.flatMap(({ properties, further }) => properties.get(name) ?? further);
        visit(item, distinct(inner), depth + 1);
      }
    }
  };
  return (value) => {
    visit(value, [root], 0);
  };
}

function isAbsent(name: string, meant: readonly Form[], all: readonly Form[], root: JsonSchema): boolean {
  const verdicts = meant.map((form) => verdictOn(name, form, root));
  if (verdicts.includes('value')) return false;
  if (verdicts.includes('absent')) return true;
  const isElsewhere = all.some((form) => form.properties.has(name) || form.required.has(name));
  return isElsewhere && verdicts.includes(undefined);
}

/** What null means for a field of a form; undefined where the form does not have the field. */
function verdictOn(name: string, { properties, required }: Form, root: JsonSchema): Verdict | undefined {
  const schema = properties.get(name);
  if (schema !== undefined && admitsNull(schema, root)) return 'value';
  if (required.has(name)) return 'missing';
  return schema === undefined ? undefined : 'absent';
}

function readForms(schema: JsonSchema, root: JsonSchema, depth: number): readonly Form[] {
  if (typeof schema !== 'object' || depth > DEEPEST_BRANCH) return [];
  const whole = dereference(root, schema);
  if (whole.type !== undefined && ![whole.type].flat().includes('object')) return [];
  const properties = new Map(Object.entries(whole.properties ?? {}));
  let forms: readonly Form[] = [createForm(properties, new Set(whole.required), furtherOf(whole))];
  for (const branches of choicesOf(whole)) {
    const found = branches.flatMap((branch) => readForms(branch, root, depth + 1));
    if (found.length === 0) continue;
    const isMany = found.length * forms.length > MOST_FORMS;
    forms = isMany ? [...forms, ...found] : forms.flatMap((left) => found.map((right) => join(left, right)));
  }
  return forms;
}

/** Groups of branches; one branch of each group must hold. Each part of `allOf` is a group of its own. */
function choicesOf(schema: JsonSchema): readonly (readonly JsonSchema[])[] {
  const { allOf = [], anyOf = [], oneOf = [] } = schema;
  const outcomes = [schema['then'], schema['else']].map((outcome) => (outcome ?? {}) as JsonSchema);
  return [...allOf.map((part) => [part]), anyOf, oneOf, schema['if'] === undefined ? [] : outcomes];
}

function furtherOf({ additionalProperties, patternProperties }: JsonSchema): readonly JsonSchema[] {
  const byPattern = isPlainObject(patternProperties) ? Object.values(patternProperties) : [];
  return [additionalProperties, ...byPattern].filter(isPlainObject);
}

function createForm(
  properties: Form['properties'],
  required: Form['required'],
  further: Form['further'],
): Form {
  return { properties, required, further, tags: tagsOf([...properties]) };
}

function join(left: Form, right: Form): Form {
  const properties = new Map(left.properties);
  for (const [name, schema] of right.properties) {
    const other = properties.get(name);
    properties.set(name, other === undefined ? schema : { allOf: [other, schema] });
  }
  const required = new Set([...left.required, ...right.required]);
  return createForm(properties, required, [...left.further, ...right.further]);
}

function itemsOf(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const { anyOf = [], oneOf = [], allOf = [], ...own } = dereference(root, schema);
  const parts = [...anyOf, ...oneOf, ...allOf].map((part) => dereference(root, part));
  const items = [own, ...parts].flatMap((part) => [part.items, part['prefixItems']].flat());
  return items.filter(isPlainObject);
}

/** True when null satisfies a schema, as far as its keywords about types and values say. */
function admitsNull(schema: JsonSchema | boolean, root: JsonSchema, depth = 0): boolean {
  if (typeof schema === 'boolean') return schema;
  if (depth > DEEPEST_BRANCH) return true;
  const whole = dereference(root, schema);
  const admits = (part: unknown): boolean => admitsNull(part as JsonSchema | boolean, root, depth + 1);
  return (
    namesNull(whole) &&
    (whole.allOf ?? []).every(admits) &&
    [whole.anyOf, whole.oneOf].every((branches) => branches === undefined || branches.some(admits)) &&
    admits(outcomeOf(whole, admits)) &&
    (whole['not'] === undefined || !admits(whole['not']))
  );
}

function outcomeOf(schema: JsonSchema, admits: (part: unknown) => boolean): unknown {
  if (schema['if'] === undefined) return true;
  return schema[admits(schema['if']) ? 'then' : 'else'] ?? true;
}

function namesNull({ type, const: constant, enum: values }: JsonSchema): boolean {
  return (
    (type === undefined || [type].flat().includes('null')) &&
    (constant === undefined || constant === null) &&
    (values === undefined || values.includes(null))
  );
}

function distinct(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  return schemas.length < 2 ? schemas : [...new Set(schemas)];
}
