import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  ConversionError,
  createSchemaValidator,
  defaultRegistry,
  type CanonicalTool,
} from 'toolwright/formats';
import { adapterOf, brief, write, type Json } from '../convert.ts';
import {
  anySchemas,
  argumentsFor,
  argumentsForModest,
  argumentSamples,
  shuffled,
} from '../schema-arbitrary.ts';
import { COLUMNS, type Column } from '../decided-matrix.ts';
import { tries } from '../../support/thorough.ts';

const validator = createSchemaValidator({ trustedPatterns: true });
const accepts = (schema: unknown, value: unknown): boolean => validator.validate(schema, value).valid;
const PROVIDERS = COLUMNS.filter((column) => column !== 'mcp');

/** What a model would write for arguments: in OpenAI's strict mode, null for each property that is absent. */
function asModelWrites(column: Column, schema: Json, value: unknown, root: Json): unknown {
  if (column !== 'openai-strict') return value;
  const followed = (schema.$ref === undefined ? schema : (root.$defs as Json).Shared) as Json;
  const inner = ((followed.anyOf as Json[] | undefined) ?? [followed]).map((each) =>
    each.$ref === undefined ? each : ((root.$defs as Json).Shared as Json),
  );
  const filled = inner
    .map((each) => fill(each, value, root))
    .find((each) => inner.some((one) => accepts({ ...one, $defs: root.$defs }, each)));
  return filled ?? value;
}

function fill(schema: Json, value: unknown, root: Json): unknown {
  if (schema.anyOf !== undefined || schema.$ref !== undefined)
    return asModelWrites('openai-strict', schema, value, root);
  if (Array.isArray(value)) return value.map((item) => fill((schema.items ?? {}) as Json, item, root));
  if (typeof value !== 'object' || value === null || schema.properties === undefined) return value;
  const properties = schema.properties as Record<string, Json>;
  const members = value as Json;
  // Meant for another alternative, because this object is closed
  if (Object.keys(members).some((key) => !Object.hasOwn(properties, key))) return value;
  return Object.fromEntries(
    Object.entries(properties).map(([key, each]) => [
      key,
      Object.hasOwn(members, key) ? fill(each, members[key], root) : null,
    ]),
  );
}

/** What a schema means in strict mode, where no object has members that it does not name. */
function meaning(column: Column, schema: Json): Json {
  if (!column.endsWith('-strict')) return schema;
  return JSON.parse(JSON.stringify(schema), (_key, value: Json) =>
    (value as Json | null)?.type === 'object' ? { ...value, additionalProperties: false } : value,
  ) as Json;
}

/** The emitted schema in the words of JSON Schema, as the adapter reads it back. */
function readBack(column: Column, tool: Json): Json {
  return defaultRegistry().get(adapterOf(column)[0]).toCanonical(tool).inputSchema as Json;
}

const convertible = (column: Column, schema: Json): ReturnType<typeof write> | undefined => {
  try {
    return write(column, schema);
  } catch (error) {
    if (error instanceof ConversionError) return undefined;
    throw error;
  }
};

describe.each(PROVIDERS)('to %s and back', (column) => {
  test('accepts the same arguments when nothing is warned of', () => {
    const property = fc.property(argumentsForModest, ({ schema, values }) => {
      const written = convertible(column, schema);
      fc.pre(written?.warnings.length === 0);
      const back = readBack(column, written.tool);
      for (const args of values) {
        const sent = asModelWrites(column, written.schema, args, written.schema);
        const decoded = written.names.decodeArguments('probe', sent);
        const isMeant = accepts(meaning(column, schema), args);
        if (isMeant) expect([args, accepts(back, sent), decoded]).toEqual([args, true, args]);
        else expect([args, accepts(back, sent)]).toEqual([args, accepts(meaning(column, schema), decoded)]);
      }
    });
    // Those with warnings do not count: so many are compared, or the test fails.
    fc.assert(property, { numRuns: tries(16, 100), maxSkipsPerRun: 200 });
  });
});

describe.each(PROVIDERS)('what %s warns of', (column) => {
  test('only ever makes the schema weaker', () => {
    const isWeaker = (feature: string, action: string): boolean =>
      action !== 'transformed' || feature === 'oneOf';
    const property = fc.property(argumentsFor, ({ schema, values }) => {
      // A weaker alternative makes oneOf stronger, where it is kept
      if (column === 'gemini-json' && JSON.stringify(schema).includes('oneOf')) return;
      const written = convertible(column, schema);
      if (
        written === undefined ||
        !written.warnings.every(({ feature, action }) => isWeaker(feature, action))
      )
        return;
      const back = readBack(column, written.tool);
      for (const args of values.filter((each) => accepts(meaning(column, schema), each))) {
        const sent = asModelWrites(column, written.schema, args, written.schema);
        expect([args, sent, accepts(back, sent)]).toEqual([args, sent, true]);
      }
    });
    fc.assert(property, { numRuns: tries(25, 150) });
  });
});

describe.each(COLUMNS)('a conversion to %s', (column) => {
  test('is the same each time, and has the same warnings whatever the order of keys', () => {
    const property = fc.property(anySchemas, (schema) => {
      const before = JSON.stringify(schema);
      const first = convertible(column, schema);
      const second = convertible(column, shuffled(schema) as Json);
      expect(JSON.stringify(schema)).toBe(before);
      expect(convertible(column, schema)?.tool).toEqual(first?.tool);
      expect(brief(second?.warnings ?? [])).toEqual(brief(first?.warnings ?? []));
      const places = brief(first?.warnings ?? []);
      expect(new Set(places).size).toBe(places.length);
    });
    fc.assert(property);
  });

  test('leaves frozen inputs as they are, and shares nothing with them', () => {
    const property = fc.property(anySchemas, (schema) => {
      const frozen = deepFreeze(schema);
      const written = convertible(column, frozen);
      if (written === undefined) return;
      expect(sharesObject(written.schema, objectsIn(frozen))).toBe(false);
    });
    fc.assert(property);
  });
});

test('every format restores its own tools', () => {
  const property = fc.property(
    argumentSamples,
    fc.constantFrom('mcp', 'openai', 'openai-responses', 'anthropic'),
    ({ schema }, format) => {
      const registry = defaultRegistry();
      const tool: CanonicalTool = { name: 'probe', description: 'Probes.', inputSchema: schema };
      const first = registry.get(format).fromCanonical(tool).tool;
      expect(registry.convert(first, format, format)).toMatchObject({ tool: first, warnings: [] });
    },
  );
  fc.assert(property);
});

test('the names of a set are unique, allowed, and lead back', () => {
  const part = fc.string({
    minLength: 1,
    maxLength: 80,
    unit: fc.constantFrom('a', 'b', '_', '.', ' ', '-', '9', 'é'),
  });
  const tools = fc.uniqueArray(fc.record({ name: part, namespace: fc.option(part, { nil: undefined }) }), {
    selector: ({ name, namespace }) => `${namespace ?? ''}:${name}`,
    maxLength: 12,
  });
  const property = fc.property(tools, fc.constantFrom('openai', 'anthropic', 'gemini'), (set, target) => {
    const raws = set.map(({ name, namespace }) => ({
      name,
      inputSchema: { type: 'object' },
      ...(namespace !== undefined && { _meta: { 'toolwright/namespace': namespace } }),
    }));
    const { names } = defaultRegistry().convertMany(raws, 'mcp', target);
    const reversed = defaultRegistry().convertMany(raws.toReversed(), 'mcp', target).names;
    const emitted = set.map(({ name, namespace }) => {
      const id = namespace === undefined ? name : `${namespace}:${name}`;
      const provider = names.toProvider(id) ?? '';
      expect(names.toToolId(provider)).toBe(id);
      expect(reversed.toProvider(id)).toBe(provider);
      expect(provider).toMatch(target === 'gemini' ? /^[A-Za-z_][\w.:-]{0,63}$/ : /^[\w-]{1,64}$/);
      return provider;
    });
    expect(new Set(emitted).size).toBe(emitted.length);
  });
  fc.assert(property, { numRuns: tries(16, 100) });
});

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

function objectsIn(value: unknown): Set<unknown> {
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set([value, ...Object.values(value).flatMap((each) => [...objectsIn(each)])]);
}

function sharesObject(value: unknown, known: ReadonlySet<unknown>): boolean {
  return [...objectsIn(value)].some((each) => known.has(each));
}
