import type { RawSchema } from '../../schema/subschemas.ts';
import { copyJson, isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { CanonicalTool } from '../canonical/canonical-tool.ts';
import { mcp } from '../rewrite/targets.ts';
import { createAdapter } from './create-adapter.ts';
import type { FormatAdapter } from './format-adapter.ts';
import type { Reading } from './reading.ts';
import { defined, type Writing } from './writing.ts';

/** Tools of the Model Context Protocol. What MCP has no field for travels in `_meta`. */
export const mcpAdapter: FormatAdapter = createAdapter({
  name: 'mcp',
  names: { rule: { forbidden: /[^A-Za-z0-9_.-]/u, maxLength: 128 }, qualifies: false },
  target: () => mcp,
  read: readMcp,
  write: writeMcp,
});

function readMcp(reading: Reading): CanonicalTool {
  const name = reading.name();
  const annotations = reading.object('annotations');
  const { fields, others: meta } = splitMeta(reading.object('_meta') ?? {});
  const { title, idempotentHint } = annotations ?? {};
  return defined({
    name,
    inputSchema: reading.schema('inputSchema') ?? { type: 'object' },
    title: reading.text('title') ?? (typeof title === 'string' ? title : undefined),
    description: reading.text('description'),
    outputSchema: reading.schema('outputSchema'),
    annotations,
    idempotent: typeof idempotentHint === 'boolean' ? idempotentHint : undefined,
    icons: reading.objects('icons'),
    ...fields,
    source: {
      format: 'mcp',
      extra: { ...reading.others, ...(Object.keys(meta).length > 0 && { meta }) },
    },
  });
}

/** Writes an MCP tool. Its schemas stay as they are, in any dialect. */
function writeMcp(writing: Writing): PlainObject {
  const { tool, name } = writing;
  const { meta: others, ...extra } = writing.extra();
  const meta = { ...(isPlainObject(others) && others), ...metaOf(tool) };
  return copyJson({
    ...extra,
    ...defined({
      name,
      title: tool.title,
      description: tool.description,
      inputSchema: objectOf(tool.inputSchema),
      outputSchema: tool.outputSchema === undefined ? undefined : objectOf(tool.outputSchema),
      annotations: annotationsOf(tool),
      icons: tool.icons,
    }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  });
}

/** The wire has no boolean schemas, and arguments always are objects. */
function objectOf(schema: RawSchema): PlainObject {
  if (typeof schema !== 'boolean') return schema;
  return schema ? { type: 'object' } : { type: 'object', not: {} };
}

function annotationsOf({ annotations, idempotent }: CanonicalTool): PlainObject | undefined {
  if (idempotent === undefined || annotations?.idempotentHint === idempotent) return annotations;
  return { ...annotations, idempotentHint: idempotent };
}

const PREFIX = 'toolwright/';

const isText = (value: unknown): boolean => typeof value === 'string';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isRequirements = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => isPlainObject(each) && Object.values(each).every(isTexts));

/** The fields that MCP has no member for, with the checks they must pass to be read from a `_meta`. */
const FIELDS = {
  namespace: isText,
  version: isText,
  summary: isText,
  category: isText,
  tags: isTexts,
  inputModes: isTexts,
  outputModes: isTexts,
  examples: Array.isArray,
  deterministic: isFlag,
  streaming: isFlag,
  uiHints: isPlainObject,
  securitySchemes: (value: unknown) => isPlainObject(value) && Object.values(value).every(isPlainObject),
  securityRequirements: isRequirements,
  requiredScopes: isTexts,
  timeoutMs: isNumber,
} as const satisfies Readonly<Partial<Record<keyof CanonicalTool, (value: unknown) => boolean>>>;

type MetaField = keyof typeof FIELDS;

/** The canonical fields in a `_meta`, and the members that belong to others. */
function splitMeta(meta: PlainObject): {
  readonly fields: Pick<CanonicalTool, MetaField>;
  readonly others: PlainObject;
} {
  const entries = Object.entries(meta);
  const isField = ([key, value]: readonly [string, unknown]): boolean => {
    const field = key.startsWith(PREFIX) ? key.slice(PREFIX.length) : '';
    return Object.hasOwn(FIELDS, field) && FIELDS[field as MetaField](value);
  };
  const fields = entries.filter(isField).map(([key, value]) => [key.slice(PREFIX.length), value] as const);
  return {
    fields: Object.fromEntries(fields),
    others: Object.fromEntries(entries.filter((entry) => !isField(entry))),
  };
}

/** The canonical fields as members of a `_meta`. */
function metaOf(tool: CanonicalTool): PlainObject {
  const names = Object.keys(FIELDS) as MetaField[];
  const present = names.filter((name) => tool[name] !== undefined);
  return copyJson(Object.fromEntries(present.map((name) => [`${PREFIX}${name}`, tool[name]])));
}
