import { mergeAnnotations, withoutAnnotations } from '../../schema/keywords.ts';
import { schemaIdentity } from '../../schema/canonical.ts';
import { toSchemaObject } from '../../schema/subschemas.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { mergeShapes, type Declaration, type MergeContext } from './merge-shapes.ts';
import {
  describeForm,
  kindsOf,
  printForm,
  printUnion,
  readForm,
  type Form,
  type Kind,
  type Shape,
} from './value-form.ts';

interface OwnedForm {
  readonly by: string;
  readonly form: readonly Shape[];
}

/** The schema that accepts whatever at least one of the declarations accepts. */
export function mergeDeclarations(declarations: readonly Declaration[], context: MergeContext): JsonSchema {
  const schemas = declarations.map(({ schema }) => toSchemaObject(schema));
  const distinct = distinctSchemas(schemas);
  const annotations = mergeAnnotations(distinct);
  const first = withoutAnnotations(distinct[0] ?? {});
  if (distinct.length === 1 || areAlike(distinct)) return { ...first, ...annotations };
  return { ...mergeTypes(declarations, schemas.map(withoutAnnotations), context), ...annotations };
}

/** Most declarations of a field say the same, word for word. */
function distinctSchemas(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  const byText = new Map<string, JsonSchema>();
  for (const schema of schemas) {
    const text = JSON.stringify(schema);
    if (!byText.has(text)) byText.set(text, schema);
  }
  return [...byText.values()];
}

function areAlike(schemas: readonly JsonSchema[]): boolean {
  const [first, ...others] = schemas.map((schema) => schemaIdentity(withoutAnnotations(schema)));
  return others.every((identity) => identity === first);
}

function mergeTypes(
  declarations: readonly Declaration[],
  schemas: readonly JsonSchema[],
  context: MergeContext,
): JsonSchema {
  const forms: OwnedForm[] = [];
  for (const [index, { by }] of declarations.entries()) {
    const form: Form = readForm(schemas[index] ?? {}, context.definitions);
    if (form === 'any') return {};
    forms.push({ by, form });
  }
  const kinds = kindsOf(widestFirst(forms).flatMap(({ form }) => form));
  const conflict = findConflict(forms, kinds);
  if (conflict !== undefined) reportConflict(conflict, context);
  const merged = kinds.map((kind) => mergeShapes(shapesOfKind(forms, kind), context, mergeDeclarations));
  const printed = conflict === undefined ? printForm(merged) : printUnion(merged);
  return { ...printed, ...sharedExtensions(schemas) };
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

// One declaration that has every type settles it, in whatever order the others come.
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

function reportConflict([left, right]: readonly [OwnedForm, OwnedForm], context: MergeContext): void {
  context.onConflict?.({
    path: context.path,
    first: left.by,
    firstType: describeForm(left.form),
    second: right.by,
    secondType: describeForm(right.form),
  });
}

function isConflict(left: OwnedForm, right: OwnedForm): boolean {
  const lefts = new Set(kindsOf(left.form));
  const rights = new Set(kindsOf(right.form));
  return ![...lefts].every((kind) => rights.has(kind)) && ![...rights].every((kind) => lefts.has(kind));
}

/** Extensions accept or refuse nothing; they stay where all declarations agree. */
function sharedExtensions(schemas: readonly JsonSchema[]): JsonSchema {
  const [first = {}, ...others] = schemas;
  const extensions = Object.entries(first).filter(([keyword]) => keyword.startsWith('x-'));
  return Object.fromEntries(
    extensions.filter(([keyword, value]) => {
      const identity = canonicalJson(value);
      return others.every((schema) => canonicalJson(schema[keyword]) === identity);
    }),
  );
}
