import 'reflect-metadata';

export { Budget } from './features/budgets/decorator.ts';
export { Destructive } from './features/consent/destructive.ts';
export { Idempotent } from './features/idempotency/decorator.ts';
export { Middleware, OpenWorld } from './decorators/classes.ts';
export { Concurrency, Quota, RateLimit } from './features/limits/decorators.ts';
export { Timeout } from './features/time-limit/decorator.ts';
export { Field, Page, Sensitive } from './decorators/members.ts';
export { createDecorator, Injectable, Module, ToolGroup } from './decorators/classes.ts';
export { ReadOnly } from './decorators/members.ts';
export { Action, Complete, Prompt, Readiness, Resource } from './decorators/members.ts';
export { Ctx, Inject, Input } from './decorators/members.ts';
export { Authenticated, Policy, Public, Roles, Scopes } from './decorators/requirements.ts';
export type {
  Denied,
  PolicyFunction,
  PolicyObject,
  RequirementOptions,
  RequiresOptions,
} from './call/requirements.ts';

export { McpApplication } from './application.ts';
export { hostApplications, type ApplicationHost, type ExplorerHost } from './application/host.ts';
export { ConfigModule, type ConfigOptions } from './application/config-module.ts';
export { isModule } from './metadata/records.ts';
export type { ForgetReport, ForgottenPerson } from './application/forget.ts';
export type { ListKind, Replacement } from './application/replace-application.ts';
export type { DecoratorRecord, ExplainedView, ServedSurface } from './application/describe-application.ts';
export type { ApplicationOptions } from './application/application-options.ts';
export type { SurfaceOptions } from './application/surface-options.ts';
export type { SurfaceName } from './compile/surfaces/surface.ts';
export type { MetricsSource, OperationsOptions } from './application/operations/operations-options.ts';
export type { ReadinessOptions, RequiredStore } from './application/operations/operations-options.ts';
export type {
  ActionMetadata,
  CompiledToolDefinition,
  ExplainedInput,
  ListedAction,
  ToolDefinition,
} from './compile/tools/compiled-tool.ts';
export type { CheckExplanation, CheckPath, ExplainedRule } from './dto/check/explanation.ts';
export type { ApplicationModel } from './compile/application-model.ts';
export type { PrimitiveRegistry } from './runtime/primitives/primitive-registry.ts';
export type { Working, WorkingOptions } from './application/working.ts';
export type {
  ExplorerOptions,
  HttpListenOptions,
  SignalOptions,
  StdioListenOptions,
} from './application/listen-options.ts';

export {
  createContextKey,
  ToolContext,
  type CompletionContext,
  type CallerState,
  type ContextKey,
  type StateKey,
} from './call/tool-context.ts';
export type { Answer, AskSchema, Root, UrlAnswer } from './call/ask.ts';
export type {
  ModelPreferences,
  SampleMessage,
  SampleRequest,
  SampleResult,
  SampleTool,
} from './call/sample.ts';
export { Notifier, type ChangeNotice } from './call/notifier.ts';
export {
  consoleLogger,
  pinoLogger,
  winstonLogger,
  type ConsoleLike,
  type PinoLike,
  type WinstonLike,
} from './call/logger.ts';
export { LOG_EVENTS, type LogEvent, type LogEventFacts, type OwnLogEvent } from './call/log-events.ts';
export { Logger, type ErrorHook, type LogFunction, type LogRecord } from './call/logger.ts';
export { StderrLogger, type StderrLoggerOptions } from './call/stderr-logger.ts';
export {
  type AuthInfo,
  type RequestContext,
  type ClientDescription,
  type LogLevel,
  type NamedQuestion,
} from './call/request-context.ts';
export type { AuthOptions } from './app/auth-options.ts';
export type {
  LocalCaller,
  LocalCredentials,
  ProtectedResource,
  RevocationList,
  TokenRequest,
  TokenVerifier,
} from './metadata/token-verifier.ts';
export type {
  SignedInPerson,
  SignIn,
  SignInAssertions,
  SignInClients,
  SignInEvent,
  SignInLimits,
  SignInOptions,
  SignInPage,
  SignInProvider,
  SignIns,
  SignInTarget,
  SignInView,
  StaticClient,
} from './features/sign-in/options.ts';
export type { Upstream } from './call/upstream.ts';
export { subjectKey, subjectOf } from './call/subject.ts';
export type { Caller, QuestionOptions, Retry, Subject } from './call/request-context.ts';
export type {
  MiddlewareCall,
  MiddlewareFunction,
  MiddlewareObject,
  Next,
  UserDecorator,
} from './call/middleware.ts';
export type {
  CallToolResult,
  ContentAnnotations,
  ContentBlock,
  EmbeddedResourceBlock,
  GetPromptResult,
  MediaBlock,
  PromptMessage,
  ReadResourceResult,
  ResourceContents,
  ResourceLink,
  ResourceLinkBlock,
  SampleBlock,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
} from './call/results.ts';
export type { Issue } from './call/issue.ts';
export type { Deprecation, ResultFormat, VersionConstraints } from './call/action-options.ts';
export {
  content,
  error,
  required,
  structured,
  success,
  toolError,
  toonSuccess,
} from './call/result-helpers.ts';
export { ERROR_META_KEY } from './call/result-helpers.ts';
export {
  assistantMessage,
  audio,
  embeddedResource,
  image,
  resourceLink,
  text,
  userMessage,
  type ResourceToEmbed,
} from './call/content.ts';
export { ProtocolError } from './call/protocol-error.ts';
export { isSuspension } from './call/step.ts';

export { createTool, GroupedToolBuilder } from './builder/grouped-tool-builder.ts';
export type { GroupedToolBuilderOptions } from './builder/check-options.ts';
export type { InputOf, ToolAction, ToolMiddleware } from './app/tool-action.ts';
export type { ToolGroupBuilder } from './builder/tool-group-builder.ts';
export { InMemoryStore, type InMemoryStoreOptions } from './runtime/store/memory-store.ts';
export { SqliteStore, type SqliteStoreOptions } from './runtime/store/sqlite-store.ts';
export type { Store, StoreEntry, StoreWrite, StoreWritten } from './runtime/store/store.ts';
export type {
  ConsentOptions,
  ConsentPages,
  ConsentPerson,
  ConsentRequest,
} from './features/consent/consent-pages.ts';
export type {
  ServerCardHeader,
  ServerCardOptions,
  ServerCardRemote,
  ServerCardRepository,
} from './features/server-card/card-options.ts';
export type { QuestionSettings } from './runtime/replay/replay-engine.ts';
export type { Secret, Secrets } from './shared/sealed-text.ts';
export { createContextFactory, toolContextOf, type ContextFactory } from './runtime/tools/context-factory.ts';
export type { LocalCallOptions } from './runtime/local-calls.ts';
export { InMemoryTaskStore, type TaskClock } from './runtime/tasks/task-store.ts';
export type { TaskOptions } from './runtime/tasks/task-options.ts';
export type {
  AcceptedCall,
  TaskAnswer,
  TaskEntry,
  TaskError,
  TaskOutcome,
  TaskRecord,
  TaskStatus,
  TaskWork,
} from './runtime/tasks/task-record.ts';
export type { TaskLimits, TaskPage, TaskStore } from './runtime/tasks/task-store.ts';
export type { AttachOptions, ToolRegistryOptions } from './registry/registry-options.ts';
export { ToolRegistry } from './attach/tool-registry.ts';
export type { BuiltTool, RegisteredTools, RegistrableTool } from './registry/tool-registry.ts';
export type { DetachFunction } from './attach/attach-service.ts';
export type { ToolFilter } from './compile/tools/tool-filter.ts';

export type { AgentForms, AgentTools, DeferredAgentTools } from './application/bridge/agent-tools.ts';
export type { AiSdkTool } from './application/bridge/ai-sdk-tool.ts';
export type { CodeApproval, CodeExport, CodeExportOptions } from './application/bridge/code-export.ts';
export type { ToolNamespace } from './application/bridge/deferred-tools.ts';
export type { LangChainTool } from './application/bridge/langchain-tool.ts';
export type { MastraTool } from './application/bridge/mastra-tool.ts';
export type { OpenAiAgentsTool } from './application/bridge/openai-agents-tool.ts';
export type { ExportedTools } from './application/bridge/tool-bridge.ts';
export type { AgentExportOptions, ExportOptions } from './application/bridge/tool-exports.ts';
export type { CallFormat } from './application/bridge/call-forms.ts';
export type {
  OnApplicationBootstrap,
  OnApplicationShutdown,
  OnModuleDestroy,
  OnModuleInit,
} from './container/lifecycle.ts';
export type {
  ActionOptions,
  CacheOptions,
  Describe,
  Expose,
  FieldOptions,
  JsonType,
  IconOptions,
  ListedPrompt,
  ListedResource,
  PromptOptions,
  ResourceAnnotationOptions,
  PageCut,
  PageOptions,
  ResourceOptions,
  ToolAnnotationHints,
  ToolGroupOptions,
  UnknownFields,
} from './metadata/options.ts';
export type { BudgetOptions } from './features/budgets/budget.ts';
export type { ConcurrencyOptions, QueueOptions, QuotaOptions } from './features/limits/counted-limits.ts';
export type { LimitBy, LimitedCall, RateLimitOptions } from './metadata/rate-options.ts';
export {
  InMemoryLimitStore,
  type InMemoryLimitStoreOptions,
  type LimitCharge,
  type LimitRefusal,
  type LimitStore,
} from './runtime/store/limit-store.ts';
export { Breaker, breaker, type BreakerOptions, type BreakerState } from './call/breaker.ts';
export type { ListeningOptions } from './application/advice-rule.ts';
export type { CallOptions } from './runtime/routes/route-options.ts';
export type { RedactOptions } from './runtime/logging/call-secrets.ts';
export { createStateKey, type StateKeyOptions } from './features/state/state-key.ts';
export type { CallLimits, LimitOptions } from './app/limit-options.ts';
export { InMemorySlotStore, type SlotRequest, type SlotStore } from './runtime/store/slot-store.ts';
export type { ClassProvider, ExistingProvider, FactoryProvider } from './metadata/module-options.ts';
export type { Provider, Scope, ValueProvider } from './metadata/module-options.ts';
export type { DynamicModule, ModuleOptions, ReadinessCheckOptions } from './metadata/module-options.ts';
export type { InjectableOptions, InjectOptions } from './metadata/module-options.ts';
export { recordsOf, type ScannedUserRecord as DecoratorUse } from './scanner/members/user-values.ts';
export type { ProviderOverride } from './scanner/scan-options.ts';
export type { NodeRequest, NodeResponse } from './transports/http/mounted-request.ts';
export type { HttpServing, Serving } from './transports/serving.ts';
export { AuthenticationError, type AuthenticationErrorOptions } from './errors/authentication-error.ts';
export type { AuthenticationRequest, NodeServer, Route } from './transports/http/http-options.ts';
export type { SessionLimits, SessionOptions } from './transports/http/http-options.ts';
export {
  InMemoryEventStore,
  type InMemoryEventStoreOptions,
} from './transports/event-store/in-memory-event-store.ts';
export type { EventStore, ReplayTarget, StoredMessage } from './transports/event-store/event-store.ts';

export { ApplicationError, type Problem } from './errors/problem-list.ts';
export type { ClientCode, ErrorCode } from './errors/catalogue.ts';
export { ToolError, type ToolErrorFacts } from './errors/tool-error.ts';
export { ToolwrightError, type ErrorFacts } from './errors/toolwright-error.ts';
export type { Class, ClassReference, ClassToken, Token } from './shared/class-type.ts';
export type { JsonSchema, ObjectSchema } from './shared/json-schema.ts';
export type { SchemaSource, StandardSchema } from './shared/schema-source.ts';
export type { ToonOptions } from './shared/toon.ts';
export type { BlockFacts, InputRequest } from './call/results.ts';
export type { Backplane, BackplaneApplication, BackplanePorts } from './application/backplane.ts';
export { InMemoryBus, type Bus } from './runtime/peers/bus.ts';
export {
  InMemoryWorkQueue,
  type QueueDepth,
  type WorkOptions,
  type WorkQueue,
} from './runtime/tasks/work-queue.ts';
export type {
  CallPart,
  Counted,
  InnerSpan,
  Measured,
  Watched,
  WatchedValue,
  Observation,
  ObservedEnd,
  ObservedNotification,
  ObservedRequest,
  Telemetry,
  TelemetryAttributes,
} from './kernel/call/telemetry.ts';
export type { HandlerDecorator } from './decorators/handler-types.ts';
export type { HttpHandlerOptions, HttpOptions } from './transports/http/http-options.ts';
export type { RequestRate, RequestRates } from './transports/http/guards/limit-requests.ts';
export type { StdioOptions } from './transports/stdio/serve-stdio.ts';
export type { InputStream, OutputStream } from './shared/line-reader.ts';
export type { ModuleReference } from './metadata/module-options.ts';
export type { Part as MessagePart } from './call/content.ts';
export type { PlainObject } from './shared/json.ts';
export type { QueuedTask, TaskOption, TaskSupport } from './call/action-options.ts';
export type { Confirm } from './metadata/options.ts';
export type { DestructiveOptions } from './features/consent/destructive.ts';
export type { IdempotentCall } from './call/request-context.ts';
export type { IdempotentOptions } from './features/idempotency/idempotent.ts';
export type { ToolDefaults } from './registry/registry-options.ts';
