import { walkSchema } from '../../schema/subschemas.ts';
import { isPlainObject, membersOf } from '../../shared/json.ts';
import { listValues } from '../../shared/listing.ts';
import { eachTool, type ClientRule, type JudgedTool } from './judged.ts';

/** Which of the keywords the input has, wherever. */
function keywordsIn({ inputSchema }: JudgedTool, keywords: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const { schema } of walkSchema(inputSchema)) {
    for (const [keyword, value] of Object.entries(membersOf(schema))) {
      // Clients that refuse it take true and false
      const isHarmless = keyword === 'additionalProperties' && !isPlainObject(value);
      if (keywords.includes(keyword) && !isHarmless) found.add(keyword);
    }
  }
  return keywords.filter((keyword) => found.has(keyword));
}

function propertiesWith(
  { inputSchema }: JudgedTool,
  isMeant: (name: string, property: unknown) => boolean,
): readonly string[] {
  const found = new Set<string>();
  for (const { schema } of walkSchema(inputSchema)) {
    for (const [name, property] of Object.entries(membersOf(membersOf(schema)['properties'])))
      if (isMeant(name, property)) found.add(name);
  }
  return [...found];
}

/** What clients do with schemas, and with definitions as a whole. */
export const SCHEMA_RULES: readonly ClientRule[] = [
  {
    code: 'TW_FOR_DEFINITION',
    fix: "shorter texts, two groups of one, or a tool for each action: expose: 'flat'",
    find: (server, { title, facts }) =>
      eachTool(facts['definition.tokens'], server, ({ tokens = 0 }, { value }) =>
        tokens <= value
          ? undefined
          : {
              level: 'problem',
              what: `has ${String(tokens)} tokens, and ${title} refuses more than ${String(value)}.`,
            },
      ),
  },
  {
    code: 'TW_FOR_SCHEMA_BYTES',
    fix: "describe: 'signatures', which says in the description what fields are for, or expose: 'flat'",
    find: (server, { title, facts }) =>
      eachTool(facts['inputSchema.bytes'], server, ({ inputSchema }, { value }) => {
        const bytes = Buffer.byteLength(JSON.stringify(inputSchema));
        if (bytes <= value) return undefined;
        return {
          level: 'advice',
          what: `has an input schema of ${String(bytes)} bytes, and ${title} drops all descriptions in one of more than ${String(value)}.`,
        };
      }),
  },
  {
    code: 'TW_FOR_SCHEMA_KEYWORD',
    fix: 'leave the keyword out of the schema, or say in the description of the field what it says',
    find: (server, { title, facts }) => [
      ...eachTool(facts['schema.refuses'], server, (tool, { value }) => {
        const refused = keywordsIn(tool, value);
        if (refused.length === 0) return undefined;
        return {
          level: 'problem',
          what: `has ${refused.join(', ')} in its schema, and ${title} refuses that.`,
        };
      }),
      ...eachTool(facts['schema.drops'], server, (tool, { value }) => {
        const dropped = keywordsIn(tool, value);
        if (dropped.length === 0) return undefined;
        return { level: 'note', what: `has ${dropped.join(', ')} in its schema, which ${title} drops.` };
      }),
    ],
  },
  {
    code: 'TW_FOR_PROPERTY_NAME',
    fix: "rename the field: @Expose({ name: 'size' }) gives a property another name",
    find: (server, { title, facts }) =>
      eachTool(facts['property.pattern'], server, (tool, { value }) => {
        const pattern = new RegExp(value, 'u');
        const others = propertiesWith(tool, (name) => !pattern.test(name));
        if (others.length === 0) return undefined;
        return {
          level: 'problem',
          what: `has ${listValues(others, (name) => JSON.stringify(name))}, which is not ${value}, and ${title} leaves out the tool.`,
        };
      }),
  },
  {
    code: 'TW_FOR_NULLABLE',
    fix: 'make the field optional, and take no null',
    find: (server, { title, facts }) =>
      eachTool(facts['schema.typeLists'], server, (tool, { for: range }) => {
        const lists = propertiesWith(tool, (_name, property) => Array.isArray(membersOf(property)['type']));
        if (lists.length === 0) return undefined;
        const version = range === undefined ? '' : ` ${range}`;
        return {
          level: 'advice',
          what: `has a list of types for ${listValues(lists, (name) => JSON.stringify(name))}, and ${title}${version} refuses that.`,
        };
      }),
  },
];
