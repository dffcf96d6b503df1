import { expect, test } from '@jest/globals';
import * as toolwright from 'toolwright';
import * as formats from 'toolwright/formats';
import * as model from 'toolwright/model';
import * as testing from 'toolwright/testing';
import * as audit from 'toolwright/audit';
import * as auth from 'toolwright/auth';
import * as client from 'toolwright/client';
import * as signIn from 'toolwright/sign-in';
import * as nest from 'toolwright/nest';
import * as openapi from 'toolwright/openapi';
import * as proxy from 'toolwright/proxy';
import * as skills from 'toolwright/skills';
import * as redis from 'toolwright/redis';
import * as postgres from 'toolwright/postgres';
import * as openTelemetry from 'toolwright/opentelemetry';
import * as apps from 'toolwright/apps';
import * as evals from 'toolwright/evals';
import * as tokens from 'toolwright/tokens';
import * as version from 'toolwright/version';
import * as workflow from 'toolwright/workflow';
import * as workflowTesting from 'toolwright/workflow/testing';

/** A name that is missing here was added by accident, or on purpose and without deciding it. */
const TOOLWRIGHT = [
  'Action',
  'ApplicationError',
  'assistantMessage',
  'audio',
  'AuthenticationError',
  'Authenticated',
  'breaker',
  'Breaker',
  'Budget',
  'Complete',
  'Concurrency',
  'ConfigModule',
  'consoleLogger',
  'content',
  'createContextFactory',
  'createContextKey',
  'createDecorator',
  'createStateKey',
  'createTool',
  'Ctx',
  'Destructive',
  'embeddedResource',
  'error',
  'ERROR_META_KEY',
  'Field',
  'GroupedToolBuilder',
  'hostApplications',
  'Idempotent',
  'image',
  'Inject',
  'Injectable',
  'InMemoryBus',
  'InMemoryEventStore',
  'InMemoryLimitStore',
  'InMemorySlotStore',
  'InMemoryStore',
  'InMemoryTaskStore',
  'InMemoryWorkQueue',
  'Input',
  'LOG_EVENTS',
  'Logger',
  'isModule',
  'isSuspension',
  'McpApplication',
  'SqliteStore',
  'Middleware',
  'Module',
  'Notifier',
  'OpenWorld',
  'Page',
  'pinoLogger',
  'Policy',
  'Prompt',
  'ProtocolError',
  'Public',
  'Quota',
  'RateLimit',
  'Readiness',
  'ReadOnly',
  'recordsOf',
  'required',
  'Resource',
  'resourceLink',
  'Roles',
  'Scopes',
  'Sensitive',
  'StderrLogger',
  'structured',
  'subjectKey',
  'subjectOf',
  'success',
  'text',
  'Timeout',
  'ToolContext',
  'toolContextOf',
  'ToolError',
  'toolError',
  'ToolGroup',
  'ToolRegistry',
  'ToolwrightError',
  'toonSuccess',
  'userMessage',
  'winstonLogger',
];

test('toolwright exports exactly these names', () => {
  expect(Object.keys(toolwright).sort()).toEqual([...TOOLWRIGHT].sort());
});

test('toolwright/audit exports exactly these names', () => {
  expect(Object.keys(audit).sort()).toEqual([
    'InMemoryAuditStore',
    'auditHash',
    'fileAnchor',
    'jsonLinesAuditStore',
    'pruneAudit',
    'readCheckpoints',
    'verifyAudit',
  ]);
});

test('toolwright/client exports exactly these names', () => {
  expect(Object.keys(client)).toEqual(['connect']);
});

test('toolwright/proxy exports exactly these names', () => {
  expect(Object.keys(proxy)).toEqual(['ProxyModule']);
});

test('toolwright/skills exports exactly these names', () => {
  expect(Object.keys(skills)).toEqual(['SkillsModule']);
});

test('toolwright/openapi exports exactly these names', () => {
  expect(Object.keys(openapi).sort()).toEqual([
    'OpenApiClient',
    'OpenApiModule',
    'fetchCarrier',
    'findOpenApiChanges',
    'nodeCarrier',
    'planOpenApi',
    'writeOpenApiClasses',
  ]);
});

test('toolwright/nest exports exactly these names', () => {
  expect(Object.keys(nest).sort()).toEqual(['NestApi', 'exposeNest', 'nestCall', 'nestGuard', 'planNest']);
});

test('toolwright/sign-in exports exactly these names', () => {
  expect(Object.keys(signIn).sort()).toEqual([
    'auth0',
    'cognito',
    'entra',
    'github',
    'google',
    'keycloak',
    'oidc',
    'okta',
    'providers',
  ]);
});

test('toolwright/auth exports exactly these names', () => {
  expect(Object.keys(auth).sort()).toEqual([
    'InMemoryRevocationList',
    'apiKeys',
    'createApiKey',
    'hashApiKey',
    'introspection',
    'jwt',
  ]);
});

test('toolwright/redis exports exactly these names', () => {
  expect(Object.keys(redis).sort()).toEqual(['RedisWorkflowCache', 'bullQueues', 'redisBackplane']);
});

test('toolwright/postgres exports exactly these names', () => {
  expect(Object.keys(postgres).sort()).toEqual(['bullQueues', 'postgresAuditStore', 'postgresBackplane']);
});

test('toolwright/opentelemetry exports exactly these names', () => {
  expect(Object.keys(openTelemetry)).toEqual(['openTelemetry']);
});

test('toolwright/apps exports exactly these names', () => {
  expect(Object.keys(apps)).toEqual(['View']);
});

test('toolwright/evals exports exactly these names', () => {
  expect(Object.keys(evals).sort()).toEqual([
    'defineEvals',
    'liveModel',
    'recordModel',
    'recordedModel',
    'runEvals',
  ]);
});

test('toolwright/tokens exports exactly these names', () => {
  expect(Object.keys(tokens).sort()).toEqual(['countActionTokens', 'countToolTokens', 'loadTokenizer']);
});

test('toolwright/testing exports exactly these names', () => {
  expect(Object.keys(testing).sort()).toEqual([
    'FakeToolContext',
    'TestApplication',
    'auditStoreConformance',
    'busConformance',
    'countToolTokens',
    'createTestApplication',
    'eventStoreConformance',
    'json',
    'limitArithmeticConformance',
    'limitStoreConformance',
    'matchers',
    'slotStoreConformance',
    'storeConformance',
    'taskStoreConformance',
    'text',
    'workQueueConformance',
  ]);
});

test('toolwright/model exports exactly these names', () => {
  expect(Object.keys(model).sort()).toEqual(
    [
      'Annotations',
      'BaseModel',
      'ConverterBase',
      'createAnnotations',
      'createIcon',
      'createToolAnnotations',
      'Group',
      'GroupConverterBase',
      'GroupItem',
      'Icon',
      'McpGroupConverter',
      'McpPromptConverter',
      'McpResourceConverter',
      'McpResourceTemplateConverter',
      'McpToolAnnotationsConverter',
      'McpToolConverter',
      'Prompt',
      'PromptArgument',
      'PromptConverterBase',
      'Resource',
      'ResourceConverterBase',
      'ResourceTemplate',
      'ResourceTemplateConverterBase',
      'Role',
      'sealModel',
      'Tool',
      'ToolAnnotations',
      'ToolAnnotationsConverterBase',
      'ToolConverterBase',
    ].sort(),
  );
});

test('toolwright/version exports exactly these names', () => {
  expect(Object.keys(version).sort()).toEqual(
    [
      'check',
      'compare',
      'compatible',
      'equal',
      'greaterThan',
      'InvalidConstraintError',
      'InvalidMatrixError',
      'InvalidVersionError',
      'lessThan',
      'Matrix',
      'mustParse',
      'negotiate',
      'NoCompatibleVersionError',
      'parse',
      'parseConstraint',
    ].sort(),
  );
});

test('toolwright/formats exports exactly these names', () => {
  expect(Object.keys(formats).sort()).toEqual(
    [
      'a2aAdapter',
      'AdapterNotFoundError',
      'AdapterRegistry',
      'anthropicAdapter',
      'checkLimits',
      'cloneTool',
      'ConversionError',
      'createNameMap',
      'createRegistry',
      'createSchemaValidator',
      'defaultRegistry',
      'DuplicateAdapterError',
      'ExternalRefError',
      'fromMcpTool',
      'geminiAdapter',
      'InvalidBackendError',
      'InvalidSchemaError',
      'InvalidToolError',
      'InvalidToolIdError',
      'lintTool',
      'localBackend',
      'mcpAdapter',
      'mcpBackend',
      'normalizeTags',
      'openaiAdapter',
      'openaiResponsesAdapter',
      'parseToolId',
      'providerBackend',
      'RegistryFrozenError',
      'SCHEMA_FEATURES',
      'SchemaTooLargeError',
      'splitDeclarations',
      'toMcpTool',
      'toStandardSchema',
      'toolId',
      'UnsafePatternError',
      'UnsupportedDialectError',
      'validateBackend',
      'validateTool',
    ].sort(),
  );
});

const WORKFLOW = `
  CachingWorkflowStorage CompositeWorkflowStorage CONDITION_EVALUATOR ConfirmationService
  createWorkflowStorage evaluateCondition FileWorkflowStorage InMemoryWorkflowStorage
  InvalidConditionError InvalidCriteriaError loadWorkflow InMemoryRunStore MemoryRunStore
  InMemoryWorkflowCache OUTPUT_VALIDATOR PostgresRunStore RUN_STORE RunService
  SchemaValidatingWorkflowStorage SqliteRunStore Step validateCondition validateWorkflowJson
  ValidationEngine Workflow WORKFLOW_STORAGE WorkflowError workflowErrorResult WorkflowModule
  WorkflowRpcServer workflowSchema WorkflowService
`
  .trim()
  .split(/\s+/);

test('toolwright/workflow exports exactly these names', () => {
  expect(Object.keys(workflow).sort()).toEqual([...WORKFLOW].sort());
});

test('toolwright/workflow/testing exports exactly these names', () => {
  expect(Object.keys(workflowTesting).sort()).toEqual([
    'InMemoryRunData',
    'WORKFLOW_CLOCK',
    'WORKFLOW_TRACER',
    'documentOfClass',
    'runStoreConformance',
  ]);
});
