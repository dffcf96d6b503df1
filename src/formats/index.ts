export {
  parseToolId,
  toolId,
  type CanonicalProvider,
  type CanonicalTool,
  type SecurityRequirement,
  type SecuritySchemes,
  type Source,
  type ToolIdParts,
} from './canonical/canonical-tool.ts';
export {
  cloneTool,
  fromMcpTool,
  lintTool,
  localBackend,
  mcpBackend,
  normalizeTags,
  providerBackend,
  toMcpTool,
  validateBackend,
  validateTool,
  type Backend,
  type LintWarning,
  type LocalBackend,
  type McpBackend,
  type McpTool,
  type NamedTool,
  type ProviderBackend,
  type Tool,
} from './canonical/tool.ts';

export {
  a2aAdapter,
  type A2aAdapter,
  type AgentInterface,
  type CardOptions,
  type ConvertedCard,
} from './adapters/a2a/a2a-adapter.ts';
export { anthropicAdapter } from './adapters/anthropic.ts';
export type { Converted, FormatAdapter, TargetOptions } from './adapters/format-adapter.ts';
export { geminiAdapter, splitDeclarations } from './adapters/gemini.ts';
export { mcpAdapter } from './adapters/mcp.ts';
export { openaiAdapter, openaiResponsesAdapter } from './adapters/openai.ts';

export {
  AdapterNotFoundError,
  ConversionError,
  DuplicateAdapterError,
  InvalidBackendError,
  InvalidToolError,
  InvalidToolIdError,
  RegistryFrozenError,
  type ConversionCode,
  type ConversionDirection,
  type ConversionFault,
  type InvalidBackendCode,
  type InvalidToolCode,
  type InvalidToolDetails,
} from './errors.ts';
export type { FeatureLossWarning, LossAction } from './losses.ts';
export { createNameMap, type NameEntry, type NameMap } from './names.ts';
export { checkLimits, type ExceededLimit } from './provider-limits.ts';
export {
  AdapterRegistry,
  createRegistry,
  defaultRegistry,
  type ConvertedSet,
  type SetWarning,
} from './adapter-registry.ts';
export { SCHEMA_FEATURES, type SchemaFeature } from './rewrite/rows.ts';

export {
  createSchemaValidator,
  type CompilingSchemaValidator,
  type SchemaValidator,
  type SchemaValidatorOptions,
} from './schema-validator.ts';
export { toStandardSchema } from './standard-schema.ts';
export {
  ExternalRefError,
  InvalidSchemaError,
  SchemaTooLargeError,
  UnsafePatternError,
  UnsupportedDialectError,
  type SchemaFault,
} from '../schema/schema-errors.ts';
export type { RawSchema } from '../schema/subschemas.ts';
export type {
  CompiledSchema,
  ValidationError,
  ValidationResult,
} from '../schema/validator/foreign-schema.ts';
export type { SchemaError } from '../schema/schema-errors.ts';
