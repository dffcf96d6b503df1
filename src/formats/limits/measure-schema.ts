import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { walkSchema } from '../../schema/walk.ts';

/** What the limits of providers count in one emitted schema. */
export interface SchemaMeasures {
  readonly properties: number;
  /** Objects inside each other. */
  readonly levels: number;
  readonly enumValues: number;
  /** Of the names of properties and definitions, and of listed values. */
  readonly characters: number;
  /** The characters of the longest enum with more than 250 texts; 0 without one. */
  readonly longestEnum: number;
  readonly optional: number;
  readonly unions: number;
}

/** An enum with more values than this has a limit of its own. */
const LARGE_ENUM = 250;

/** Measures an emitted schema. */
export function measureSchema(schema: unknown): SchemaMeasures {
  const places = [...walkSchema(schema)];
  const nodes = places.map((place) => place.schema).filter(isPlainObject);
  const names = nodes.flatMap((node) => namesOf(node.properties));
  const definitions = nodes.flatMap((node) => namesOf(node.$defs));
  const enums = nodes.map(({ enum: listed }): readonly unknown[] => (Array.isArray(listed) ? listed : []));
  const constants = nodes.filter((node) => Object.hasOwn(node, 'const')).map((node) => node.const);
  const large = enums.filter((listed) => listed.length > LARGE_ENUM).map(charactersOf);
  return {
    properties: names.length,
    levels: Math.max(
      0,
      ...places.filter((place) => isObjectNode(place.schema)).map(({ path }) => levelOf(path)),
    ),
    enumValues: enums.flat().length,
    characters: charactersOf([...names, ...definitions, ...enums.flat(), ...constants]),
    longestEnum: Math.max(0, ...large),
    optional: nodes.reduce((sum, node) => sum + optionalIn(node), 0),
    unions: nodes.filter(({ anyOf, type }) => Array.isArray(anyOf) || Array.isArray(type)).length,
  };
}

function namesOf(holder: unknown): readonly string[] {
  return isPlainObject(holder) ? Object.keys(holder) : [];
}

function isObjectNode(schema: PlainObject | boolean): boolean {
  return isPlainObject(schema) && isPlainObject(schema.properties);
}

/** One level for the object itself, and one for each it is a property of. */
function levelOf(path: string): number {
  return 1 + path.split('/properties/').length - 1;
}

function charactersOf(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}

function optionalIn({ properties, required }: PlainObject): number {
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return namesOf(properties).filter((name) => !needed.has(name)).length;
}
