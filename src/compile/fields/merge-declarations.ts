import { mergeAnnotations, withoutAnnotations } from '../../schema/keywords.ts';
import { schemaIdentity } from '../../schema/canonical.ts';
import { toSchemaObject, isSchema, type Schema } from '../../schema/subschemas.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import {
  describeForm,
  kindsOf,
  printForm,
  printUnion,
  readForm,
  type Form,
  type Kind,
  type Shape,
  type OwnedShape,
} from './value-form.ts';
import type { Definitions } from '../../schema/definitions.ts';
import { isPlainObject } from '../../shared/json.ts';

/** One place that declares a field. */
export interface Declaration {
  /** The actions that it holds for, as texts name them; declarations of the same owner never conflict. */
  readonly by: string;
  readonly schema: Schema;
}

/** Two declarations; neither accepts all types of the other. */
export interface TypeConflict {
  readonly path: string;
  readonly first: string;
  readonly firstType: string;
  readonly second: string;
  readonly secondType: string;
}

interface MergePlace {
  /** The field, in messages. */
  readonly path: string;
  readonly definitions: Definitions;
  /** Called for truly different types: their union then names the owners of each. */
  readonly onConflict: ((conflict: TypeConflict) => void) | undefined;
}

interface OwnedForm {
  readonly by: string;
  readonly form: readonly Shape[];
}

/** The schema that accepts every value that at least one of the declarations accepts. */
export function mergeDeclarations(declarations: readonly Declaration[], place: MergePlace): JsonSchema {
  const schemas = declarations.map(({ schema }) => toSchemaObject(schema));
  // Most declarations of a field are identical
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const annotations = mergeAnnotations(distinct);
  const first = withoutAnnotations(distinct[0] ?? {});
  if (distinct.length < 2) return { ...first, ...annotations };
  const forms = new Set(distinct.map((schema) => schemaIdentity(withoutAnnotations(schema))));
  if (forms.size < 2) return { ...first, ...annotations };
  return { ...mergeTypes(declarations, schemas.map(withoutAnnotations), place), ...annotations };
}

function mergeTypes(
  declarations: readonly Declaration[],
  schemas: readonly JsonSchema[],
  place: MergePlace,
): JsonSchema {
  const forms: OwnedForm[] = [];
  for (const [index, { by }] of declarations.entries()) {
    const form: Form = readForm(schemas[index] ?? {}, place.definitions);
    if (form === 'any') return {};
    forms.push({ by, form });
  }
  const kinds = kindsOf(widestFirst(forms).flatMap(({ form }) => form));
  const conflict = findConflict(forms, kinds);
  if (conflict !== undefined) place.onConflict?.(describeConflict(conflict, place.path));
  const merged = kinds.map((kind) => mergeShapes(shapesOfKind(forms, kind), place));
  const owners = place.onConflict === undefined ? [] : kinds.map((kind) => ownersOf(forms, kind));
  const printed = conflict === undefined ? printForm(merged) : printUnion(merged, owners);
  // Extensions accept or refuse nothing; they stay where all declarations agree
  const all = schemas.map((schema) => new Map(Object.entries(schema)));
  const extensions = sharedEntries(all, (keyword) => keyword.startsWith('x-'));
  return { ...printed, ...Object.fromEntries(extensions) };
}

/** `For: find, edit`: the actions whose declarations admit values of a type. */
function ownersOf(forms: readonly OwnedForm[], kind: Kind): string {
  const having = forms.filter(({ form }) => kindsOf(form).includes(kind)).map(({ by }) => by);
  const named = [...new Set(having)].filter((by) => by !== '');
  return named.length === 0 ? '' : `For: ${named.join(', ')}`;
}

/** The widest declaration decides the order of the types. */
function widestFirst(forms: readonly OwnedForm[]): readonly OwnedForm[] {
  const width = ({ form }: OwnedForm): number => kindsOf(form).length;
  return [...forms].sort((left, right) => width(right) - width(left));
}

function shapesOfKind(forms: readonly OwnedForm[], kind: Kind): readonly { by: string; shape: Shape }[] {
  return forms.flatMap(({ by, form }) =>
    form.filter((shape) => shape.kind === kind).map((shape) => ({ by, shape })),
  );
}

// If one declaration has every type, there is no conflict, whatever the order of the others.
function findConflict(
  forms: readonly OwnedForm[],
  kinds: readonly Kind[],
): readonly [OwnedForm, OwnedForm] | undefined {
  if (forms.some(({ form }) => kindsOf(form).length === kinds.length)) return undefined;
  for (const [index, right] of forms.entries()) {
    const left = forms.slice(0, index).find((candidate) => isConflict(candidate, right));
    if (left !== undefined) return [left, right];
  }
  return undefined;
}

function describeConflict([left, right]: readonly [OwnedForm, OwnedForm], path: string): TypeConflict {
  const [firstType, secondType] = [describeForm(left.form), describeForm(right.form)];
  return { path, first: left.by, firstType, second: right.by, secondType };
}

function isConflict(left: OwnedForm, right: OwnedForm): boolean {
  const lefts = new Set(kindsOf(left.form));
  const rights = new Set(kindsOf(right.form));
  return ![...lefts].every((kind) => rights.has(kind)) && ![...rights].every((kind) => lefts.has(kind));
}

/** The entries of the first map that all the others have as well. */
function sharedEntries(
  maps: readonly ReadonlyMap<string, unknown>[],
  isMeant: (keyword: string) => boolean,
): readonly (readonly [string, unknown])[] {
  const [first = new Map<string, unknown>(), ...others] = maps;
  return [...first].filter(
    ([keyword, value]) => isMeant(keyword) && areEqual([value, ...others.map((other) => other.get(keyword))]),
  );
}

function areEqual(values: readonly unknown[]): boolean {
  return new Set(values.map(canonicalJson)).size < 2;
}

const STRUCTURAL = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'required',
  'prefixItems',
  'items',
  'contains',
  'minContains',
  'maxContains',
]);

/** The shape that accepts what at least one of the given shapes, all of one type, accepts. */
function mergeShapes(owned: readonly OwnedShape[], place: MergePlace): Shape {
  const shapes = owned.map(({ shape }) => shape);
  const [first, ...others] = shapes;
  if (first === undefined) throw new RangeError('mergeShapes needs a shape');
  if (others.length === 0) return first;
  return {
    kind: first.kind,
    isInteger: shapes.every(({ isInteger }) => isInteger),
    values: mergeValues(shapes),
    keywords: new Map([
      ...sharedEntries(
        shapes.map(({ keywords }) => keywords),
        (keyword) => !STRUCTURAL.has(keyword),
      ),
      ...(first.kind === 'object' ? mergeObjectKeywords(owned, place) : []),
      ...(first.kind === 'array' ? mergeArrayKeywords(owned, place) : []),
    ]),
  };
}

/** The values of all in order of first appearance; undefined when one of them is not limited. */
function mergeValues(shapes: readonly Shape[]): readonly unknown[] | undefined {
  const merged = new Map<string, unknown>();
  for (const { values } of shapes) {
    if (values === undefined) return undefined;
    for (const value of values)
      if (!merged.has(canonicalJson(value))) merged.set(canonicalJson(value), value);
  }
  return [...merged.values()];
}

const TUPLE = ['prefixItems', 'items'] as const;

const CONTAINS = ['contains', 'minContains', 'maxContains'] as const;

/** The keywords for the items of several arrays. Keywords that depend on each other stay or go together. */
function mergeArrayKeywords(owned: readonly OwnedShape[], place: MergePlace): ReadonlyMap<string, unknown> {
  const merged = new Map(sharedGroup(owned, CONTAINS));
  const isTuple = owned.some(
    ({ shape }) => shape.keywords.has('prefixItems') || Array.isArray(shape.keywords.get('items')),
  );
  if (isTuple) return new Map([...merged, ...sharedGroup(owned, TUPLE)]);
  const items = mergeItems(owned, place);
  return items === undefined ? merged : merged.set('items', items);
}

function sharedGroup(
  owned: readonly OwnedShape[],
  group: readonly string[],
): readonly (readonly [string, unknown])[] {
  const ofGroup = owned.map(({ shape }) =>
    [...shape.keywords].filter(([keyword]) => group.includes(keyword)),
  );
  return areEqual(ofGroup.map((entries) => Object.fromEntries(entries))) ? (ofGroup[0] ?? []) : [];
}

function mergeItems(owned: readonly OwnedShape[], place: MergePlace): unknown {
  const declarations: Declaration[] = [];
  for (const { by, shape } of owned) {
    const items = shape.keywords.get('items');
    if (!isSchema(items)) return undefined;
    declarations.push({ by, schema: items });
  }
  return mergeDeclarations(declarations, { ...place, path: `${place.path}[]` });
}

interface ObjectParts {
  readonly by: string;
  readonly properties: ReadonlyMap<string, Schema>;
  readonly patterns: unknown;
  readonly additional: unknown;
  readonly required: readonly unknown[];
}

/** The keywords for the members of several objects: all properties, and what every one of them requires. */
function mergeObjectKeywords(owned: readonly OwnedShape[], place: MergePlace): ReadonlyMap<string, unknown> {
  const objects = owned.map(readParts);
  const merged = new Map<string, unknown>();
  const names = [...new Set(objects.flatMap(({ properties }) => [...properties.keys()]))];
  if (names.length > 0) {
    const entries = names.map((name) => [name, mergeProperty(name, objects, place)]);
    merged.set('properties', Object.fromEntries(entries));
  }
  const [first, ...others] = objects;
  const required = first?.required.filter((name) => others.every((other) => other.required.includes(name)));
  if (required !== undefined && required.length > 0) merged.set('required', required);
  if (areEqual(objects.map(({ patterns }) => patterns))) {
    if (first?.patterns !== undefined) merged.set('patternProperties', first.patterns);
    const additional = mergeAdditional(objects, place);
    if (additional !== undefined) merged.set('additionalProperties', additional);
  }
  return merged;
}

function readParts({ by, shape: { keywords } }: OwnedShape): ObjectParts {
  const properties = keywords.get('properties');
  const required = keywords.get('required');
  return {
    by,
    properties: new Map(isPlainObject(properties) ? Object.entries(properties).filter(isProperty) : []),
    patterns: keywords.get('patternProperties'),
    additional: keywords.get('additionalProperties'),
    required: Array.isArray(required) ? required : [],
  };
}

function isProperty(entry: [string, unknown]): entry is [string, Schema] {
  return isSchema(entry[1]);
}

function mergeProperty(name: string, objects: readonly ObjectParts[], place: MergePlace): JsonSchema {
  const own = { ...place, path: `${place.path}.${name}` };
  const lenient = { ...own, onConflict: undefined };
  const declared = new Map<string, Declaration[]>();
  for (const { by, properties } of objects) {
    const schema = properties.get(name);
    if (schema !== undefined) declared.set(by, [...(declared.get(by) ?? []), { by, schema }]);
  }
  const perOwner = [...declared].map(([by, ofOwner]) => ({
    by,
    schema: mergeDeclarations(ofOwner, lenient),
  }));
  const merged = mergeDeclarations(perOwner, own);
  const open = objects.filter(({ properties }) => !properties.has(name)).flatMap(openSchemas);
  return open.length === 0 ? merged : mergeDeclarations([{ by: '', schema: merged }, ...open], lenient);
}

/** The declared schemas for names that an object does not declare. */
function openSchemas({ by, patterns, additional }: ObjectParts): readonly Declaration[] {
  if (patterns !== undefined) return [{ by, schema: true }];
  return isSchema(additional) && additional !== false ? [{ by, schema: additional }] : [];
}

function mergeAdditional(objects: readonly ObjectParts[], place: MergePlace): unknown {
  const accepted: Declaration[] = [];
  for (const { by, additional } of objects) {
    if (!isSchema(additional)) return undefined;
    if (additional !== false) accepted.push({ by, schema: additional });
  }
  if (accepted.length === 0) return false;
  if (accepted.every(({ schema }) => schema === true)) return true;
  return mergeDeclarations(accepted, { ...place, path: `${place.path}.*`, onConflict: undefined });
}
