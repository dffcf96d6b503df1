import {
  defaultRegistry,
  type CanonicalTool,
  type FeatureLossWarning,
  type NameMap,
  type TargetOptions,
} from 'toolwright/formats';
import type { Column } from './decided-matrix.ts';

/** Plain JSON, as tests look into it. */
export type Json = Record<string, unknown>;

const VARIANTS: Readonly<Record<Column, readonly [adapter: string, options: TargetOptions]>> = {
  mcp: ['mcp', {}],
  openai: ['openai', { strict: false }],
  'openai-strict': ['openai', { strict: true }],
  anthropic: ['anthropic', { strict: false }],
  'anthropic-strict': ['anthropic', { strict: true }],
  'gemini-openapi': ['gemini', { schema: 'parameters' }],
  'gemini-json': ['gemini', { schema: 'parametersJsonSchema' }],
};

export function adapterOf(column: Column): readonly [adapter: string, options: TargetOptions] {
  return VARIANTS[column];
}

export interface Written {
  readonly schema: Json;
  readonly tool: Json;
  readonly warnings: readonly FeatureLossWarning[];
  readonly names: NameMap;
}

/** Writes a schema for a column of the matrix. */
export function write(column: Column, inputSchema: unknown, fields: Partial<CanonicalTool> = {}): Written {
  const [adapter, options] = VARIANTS[column];
  const tool = { name: 'probe', ...fields, inputSchema } as CanonicalTool;
  const converted = defaultRegistry().get(adapter).fromCanonical(tool, options);
  const emitted = converted.tool as Json;
  return { ...converted, tool: emitted, schema: schemaOf(emitted) };
}

/** The schema of the arguments in a tool of any format. */
export function schemaOf(tool: Json): Json {
  const declared = (tool.function ?? (tool.functionDeclarations as Json[] | undefined)?.[0] ?? tool) as Json;
  const { parameters, parametersJsonSchema, input_schema: input, inputSchema } = declared;
  return (parameters ?? parametersJsonSchema ?? input ?? inputSchema ?? {}) as Json;
}

/** Writes a schema as the property `value` of an object, which it has to have. */
export function writeProperty(
  column: Column,
  schema: unknown,
  defs?: unknown,
): Written & { readonly value: Json } {
  const root = {
    ...(defs !== undefined && { $defs: defs }),
    type: 'object',
    properties: { value: schema },
    required: ['value'],
  };
  const written = write(column, root);
  const properties = (written.schema.properties ?? {}) as Json;
  return { ...written, value: properties.value as Json };
}

/** Warnings without their texts. */
export function brief(warnings: readonly FeatureLossWarning[]): readonly string[] {
  return warnings.map(({ feature, path, action }) => `${feature} ${path} ${action}`);
}
