export { toolId } from './canonical/ids.ts';
export { localBackend, mcpBackend, providerBackend, validateBackend } from './canonical/backends.ts';
export { normalizeTags } from './canonical/normalize-tags.ts';
export { parseToolId, type ToolIdParts } from './canonical/parse-tool-id.ts';
export { lintTool, validateTool, type LintWarning, type NamedTool } from './canonical/validate-tool.ts';
export type { Backend, LocalBackend, McpBackend, ProviderBackend } from './canonical/backend.ts';
export type { CanonicalProvider } from './canonical/canonical-provider.ts';
export type {
  CanonicalTool,
  SecurityRequirement,
  SecuritySchemes,
  Source,
} from './canonical/canonical-tool.ts';
export { cloneTool, fromMcpTool, toMcpTool } from './canonical/mcp-tool.ts';
export type { McpTool, Tool } from './canonical/tool.ts';
export type { RawSchema } from '../schema/subschemas.ts';

export { a2aAdapter, type A2aAdapter } from './adapters/a2a/a2a-adapter.ts';
export type { AgentInterface, CardOptions, ConvertedCard } from './adapters/a2a/card-options.ts';
export { anthropicAdapter } from './adapters/anthropic/anthropic-adapter.ts';
export type { Converted, FormatAdapter, TargetOptions } from './adapters/format-adapter.ts';
export { geminiAdapter } from './adapters/gemini/gemini-adapter.ts';
export { splitDeclarations } from './adapters/gemini/read-gemini.ts';
export { mcpAdapter } from './adapters/mcp/mcp-adapter.ts';
export { openaiAdapter } from './adapters/openai/openai-adapter.ts';
export { openaiResponsesAdapter } from './adapters/openai-responses/openai-responses-adapter.ts';

export {
  ConversionError,
  type ConversionCode,
  type ConversionDirection,
  type ConversionFault,
} from './errors/conversion-error.ts';
export {
  AdapterNotFoundError,
  DuplicateAdapterError,
  RegistryFrozenError,
} from './errors/registry-errors.ts';
export {
  ExternalRefError,
  InvalidSchemaError,
  SchemaTooLargeError,
  UnsafePatternError,
  UnsupportedDialectError,
  type SchemaFault,
} from '../schema/schema-errors.ts';

export { checkLimits, type ExceededLimit } from './limits/check-limits.ts';
export type { FeatureLossWarning, LossAction } from './loss/feature-loss.ts';
export { createNameMap, type NameEntry, type NameMap } from './names/name-map.ts';
export { AdapterRegistry } from './registry/adapter-registry.ts';
export type { ConvertedSet, SetWarning } from './registry/convert-set.ts';
export { createRegistry, defaultRegistry } from './registry/default-registry.ts';
export { SCHEMA_FEATURES, type SchemaFeature } from './rewrite/schema-feature.ts';

export {
  InvalidBackendError,
  InvalidToolError,
  InvalidToolIdError,
  type InvalidBackendCode,
  type InvalidToolCode,
  type InvalidToolDetails,
} from './errors/tool-errors.ts';
export {
  createSchemaValidator,
  type CompilingSchemaValidator,
  type SchemaValidator,
  type SchemaValidatorOptions,
} from './schema-validator.ts';
export type {
  CompiledSchema,
  ValidationError,
  ValidationResult,
} from '../schema/validator/foreign-schema.ts';
