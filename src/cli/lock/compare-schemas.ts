import { schemaIdentity } from '../../schema/canonical.ts';
import { dereference } from '../../schema/references.ts';
import { propertiesOf, toSchemaObject, type Schema } from '../../schema/subschemas.ts';
import { isSameJson } from '../../shared/canonical-json.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { compareConstraints, type Direction, type Difference } from './compare-constraints.ts';

/** A difference, and the path of the field: `title`, `tasks[].title`; empty for the whole. */
export interface SchemaChange extends Difference {
  readonly path: string;
}

export interface SchemaPair {
  readonly before: JsonSchema;
  readonly after: JsonSchema;
  readonly direction: Direction;
  /** Whether a field that is not known is refused although the schema does not say so. */
  readonly refusesUnknown?: boolean;
}

/** References may lead in circles: what lies deeper than this was compared before. */
const MOST_LEVELS = 24;

/** All that differs between two schemas, each difference once. */
export function compareSchemas(pair: SchemaPair): readonly SchemaChange[] {
  return new SchemaComparison(pair).run();
}

class SchemaComparison {
  readonly #pair: SchemaPair;
  readonly #found: SchemaChange[] = [];
  #levels = 0;

  constructor(pair: SchemaPair) {
    this.#pair = pair;
  }

  run(): readonly SchemaChange[] {
    this.#compare('', this.#pair.before, this.#pair.after);
    return this.#found;
  }

  #compare(path: string, old: Schema, now: Schema): void {
    if (this.#levels === MOST_LEVELS) return;
    this.#levels += 1;
    const before = dereference(this.#pair.before, toSchemaObject(old));
    const after = dereference(this.#pair.after, toSchemaObject(now));
    for (const { rule, what } of compareConstraints(before, after, this.#pair.direction))
      this.#add(path, rule, what);
    this.#compareTexts(path, before, after);
    this.#compareProperties(path, before, after);
    this.#compareFurther(path, before, after);
    this.#compareItems(path, before, after);
    for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const)
      this.#compareBranches(path, keyword, before[keyword] ?? [], after[keyword] ?? []);
    this.#levels -= 1;
  }

  #compareTexts(path: string, before: JsonSchema, after: JsonSchema): void {
    const rule = compareText(before.description, after.description);
    // The texts of the whole are those of the tool
    if (rule !== undefined && path !== '') this.#add(path, rule);
    const isOther = ['title', 'examples', 'deprecated'].some((key) => !isSameJson(before[key], after[key]));
    if (isOther) this.#add(path, 'presentation-changed');
  }

  #compareProperties(path: string, before: JsonSchema, after: JsonSchema): void {
    const [old, now] = [propertiesOf(before), propertiesOf(after)];
    const [needed, needs] = [new Set(before.required), new Set(after.required)];
    for (const [name, schema] of old) {
      const place = join(path, name);
      const kept = now.get(name);
      if (kept === undefined) this.#removed(place, path, after);
      else {
        this.#compareNeed(place, needed.has(name), needs.has(name));
        this.#compare(place, schema, kept);
      }
    }
    for (const name of now.keys()) if (!old.has(name)) this.#added(join(path, name), needs.has(name));
  }

  #removed(place: string, path: string, holder: JsonSchema): void {
    const { direction, refusesUnknown = false } = this.#pair;
    if (direction === 'output') return this.#add(place, 'output-field-removed');
    const isRefused = holder.additionalProperties === false || (path === '' && refusesUnknown);
    if (isRefused) this.#add(place, 'field-removed');
    else this.#add(place, 'field-dropped');
  }

  #added(place: string, isRequired: boolean): void {
    if (this.#pair.direction === 'output') this.#add(place, 'output-field-added');
    else if (isRequired) this.#add(place, 'field-required-added');
    else this.#add(place, 'field-optional-added');
  }

  #compareNeed(place: string, was: boolean, is: boolean): void {
    if (was === is) return;
    const isOutput = this.#pair.direction === 'output';
    if (is) this.#add(place, isOutput ? 'output-field-required' : 'field-made-required');
    else this.#add(place, isOutput ? 'output-field-optional' : 'field-made-optional');
  }

  /** What may stand beside the declared properties. */
  #compareFurther(path: string, before: JsonSchema, after: JsonSchema): void {
    const [old, now] = [before.additionalProperties ?? true, after.additionalProperties ?? true];
    if (typeof old === 'object' && typeof now === 'object') return this.#compare(join(path, '*'), old, now);
    if (isSameJson(old, now) || this.#pair.direction === 'output') return;
    const isNarrower = now === false || (old === true && typeof now === 'object');
    if (isNarrower) this.#add(path, 'unknown-fields-refused');
    else this.#add(path, 'unknown-fields-accepted');
  }

  #compareItems(path: string, before: JsonSchema, after: JsonSchema): void {
    const place = `${path}[]`;
    if (before.items !== undefined || after.items !== undefined)
      this.#compare(place, before.items ?? true, after.items ?? true);
    const [old, now] = [listOf(before['prefixItems']), listOf(after['prefixItems'])];
    for (let index = 0; index < Math.max(old.length, now.length); index += 1)
      this.#compare(`${path}[${index}]`, old[index] ?? true, now[index] ?? true);
  }

  /** Equal branches are paired first, the rest in their order; what is left over was taken away or added. */
  #compareBranches(
    path: string,
    keyword: 'anyOf' | 'oneOf' | 'allOf',
    before: readonly Schema[],
    after: readonly Schema[],
  ): void {
    const same = new Map(after.map((schema) => [schemaIdentity(schema), schema]));
    const known = new Set(before.map(schemaIdentity));
    const old: Schema[] = [];
    for (const schema of before) {
      const twin = same.get(schemaIdentity(schema));
      if (twin === undefined) old.push(schema);
      else this.#compare(path, schema, twin);
    }
    const now = after.filter((schema) => !known.has(schemaIdentity(schema)));
    const isOutput = this.#pair.direction === 'output';
    const paired = Math.min(old.length, now.length);
    for (let index = 0; index < paired; index += 1)
      this.#compare(path, old[index] as Schema, now[index] as Schema);
    // Each part of an `allOf` takes something away, each alternative adds something
    const [lost, gained] = keyword === 'allOf' ? [now, old] : [old, now];
    const what = `its \`${keyword}\` had ${before.length} and has ${after.length} parts`;
    if (lost.length > paired) this.#add(path, isOutput ? 'output-type-narrowed' : 'type-narrowed', what);
    if (gained.length > paired) this.#add(path, isOutput ? 'output-type-widened' : 'type-widened', what);
  }

  #add(path: string, rule: SchemaChange['rule'], what?: string): void {
    const isKnown = this.#found.some(
      (known) => known.path === path && known.rule === rule && known.what === what,
    );
    if (!isKnown) this.#found.push({ path, rule, what });
  }
}

/** The rule for two texts; undefined where they are equal. */
export function compareText(
  before: string | undefined,
  after: string | undefined,
): 'description-changed' | 'white-space-changed' | undefined {
  if (before === after) return undefined;
  const words = (text = ''): string => text.trim().replace(/\s+/g, ' ');
  return words(before) === words(after) ? 'white-space-changed' : 'description-changed';
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function listOf(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? (value as readonly Schema[]) : [];
}
