import { Redis } from 'ioredis';
import { IsString } from 'class-validator';
import {
  Action,
  AuthenticationError,
  createTool,
  Field,
  Inject,
  Injectable,
  McpApplication,
  InMemoryStore,
  Module,
  Prompt,
  Resource,
  ToolGroup,
  ToolRegistry,
  toonSuccess,
} from 'toolwright';
import { runEvals } from 'toolwright/evals';
import { a2aAdapter, createSchemaValidator, defaultRegistry, mcpAdapter } from 'toolwright/formats';
import { createTestApplication, FakeToolContext } from 'toolwright/testing';
import { check, Matrix, negotiate } from 'toolwright/version';
import {
  CachingWorkflowStorage,
  createWorkflowStorage,
  FileWorkflowStorage,
  InMemoryWorkflowStorage,
  InMemoryRunStore,
  InMemoryWorkflowCache,
  PostgresRunStore,
  RunService,
  SqliteRunStore,
  ValidationEngine,
  WorkflowModule,
  WorkflowRpcServer,
  WorkflowService,
} from 'toolwright/workflow';
import { APPLICATION_RULES } from '../../src/application/application-options.ts';
import { EVAL_RULES } from '../../src/evals/run-evals.ts';
import { EXPORT_RULES } from '../../src/application/bridge/tool-exports.ts';
import { TOOL_ACTION_RULES } from '../../src/app/tool-action.ts';
import { TOOL_RULES } from '../../src/builder/check-options.ts';
import { NAMED_QUESTION_RULES } from '../../src/call/request-context.ts';
import { FILTER_RULES } from '../../src/compile/tools/tool-filter.ts';
import { CARD_RULES } from '../../src/formats/adapters/a2a/a2a-adapter.ts';
import { TARGET_RULES } from '../../src/formats/adapters/format-adapter.ts';
import { VALIDATOR_RULES } from '../../src/formats/schema-validator.ts';
import {
  ACTION_RULES,
  FIELD_RULES,
  GROUP_RULES,
  HINT_RULES,
  INJECT_RULES,
  INJECTABLE_RULES,
  MODULE_RULES,
  PROMPT_RULES,
  PROVIDER_RULES,
  RESOURCE_RULES,
} from '../../src/metadata/option-rules.ts';
import { MEMORY_STORE_RULES } from '../../src/runtime/store/memory-store.ts';
import { breaker, BREAKER_RULES } from '../../src/call/breaker.ts';
import { CALL_RULES } from '../../src/runtime/local-calls.ts';
import { ATTACH_RULES, REGISTRY_RULES } from '../../src/registry/registry-options.ts';
import { redisBackplane, REDIS_BACKPLANE_RULES } from '../../src/backplane/redis/redis-backplane.ts';
import { REDIS_WORKFLOW_CACHE_RULES, RedisWorkflowCache } from '../../src/backplane/redis/workflow-cache.ts';
import {
  POSTGRES_BACKPLANE_RULES,
  postgresBackplane,
} from '../../src/backplane/postgres/postgres-backplane.ts';
import { AUTH_RULES } from '../../src/app/auth-options.ts';
import { openTelemetry } from '../../src/telemetry/open-telemetry.ts';
import { OPEN_TELEMETRY_RULES } from '../../src/telemetry/options.ts';
import { AUTHENTICATION_RULES } from '../../src/errors/authentication-error.ts';
import { HANDLER_RULES, SERVER_RULES } from '../../src/transports/http/check-http-options.ts';
import { STDIO_RULES } from '../../src/transports/stdio/serve-stdio.ts';
import type { OptionRule } from '../../src/shared/option-rules.ts';
import { TOON_RULES } from '../../src/shared/toon.ts';
import { FAKE_CONTEXT_RULES } from '../../src/testing/fake-context.ts';
import { TEST_CLIENT_RULES } from '../../src/testing/test-application.ts';
import { CHECK_RULES } from '../../src/version/constraint.ts';
import { VALIDATION_ENGINE_RULES } from '../../src/workflow/domain/validation/validation-engine.ts';
import { RUN_RULES } from '../../src/workflow/application/runs/run-dependencies.ts';
import { SERVICE_RULES } from '../../src/workflow/application/workflow-service.ts';
import { MODULE_RULES as WORKFLOW_RULES } from '../../src/workflow/module/workflow-module-options.ts';
import { RPC_RULES } from '../../src/workflow/rpc/workflow-rpc-server.ts';
import { MEMORY_RULES } from '../../src/workflow/run-stores/memory-run-store.ts';
import { CONNECTION_RULES } from '../../src/workflow/run-stores/postgres/postgres-run-store.ts';
import { SQLITE_RULES } from '../../src/workflow/run-stores/sqlite/sqlite-run-store.ts';
import { CACHING_RULES } from '../../src/workflow/storage/caching-workflow-storage.ts';
import { MEMORY_CACHE_RULES } from '../../src/workflow/storage/workflow-cache.ts';
import { STORAGE_RULES } from '../../src/workflow/storage/create-workflow-storage.ts';
import { FILE_RULES } from '../../src/workflow/storage/files/file-workflow-storage.ts';

export type Options = Readonly<Record<string, unknown>>;

export const handler = (): string => 'ran';

/** An application with one of everything, of which one thing has the options of a test. */
export function application(parts: Readonly<Record<string, Options>>): Promise<unknown> {
  class Input {
    @IsString() @Field(parts['field'] ?? {}) name!: string;
  }
  @Injectable(parts['injectable'] ?? {})
  class Service {}
  @ToolGroup({ name: 'tool', ...parts['group'] })
  class Tools {
    constructor(@Inject('VALUE', parts['inject'] ?? {}) readonly value: unknown) {}
    @Action({ input: Input, ...parts['action'] }) run(input: Input): string {
      return input.name;
    }
    @Prompt(parts['prompt'] ?? {}) ask(): string {
      return 'asked';
    }
    @Resource('page://a', parts['resource'] ?? {}) page(): string {
      return 'page';
    }
  }
  const provider = { provide: 'VALUE', useValue: 1, ...parts['provider'] };
  @Module({ controllers: [Tools], providers: [Service, provider], ...parts['module'] })
  class Root {}
  return McpApplication.create(Root, parts['create']);
}

export const part = (name: string) => (options: Options) => application({ [name]: options });
const builder = (options: Options, action: Options = {}) =>
  createTool('tool', options as object)
    .action({ name: 'run', handler, ...action })
    .buildToolDefinition();

async function served(run: (app: McpApplication) => unknown): Promise<void> {
  const app = (await application({})) as McpApplication;
  try {
    await run(app);
  } finally {
    await app.close();
  }
}

@Module()
class Root {}

async function connected(options: Options): Promise<void> {
  const kit = await createTestApplication(Root);
  try {
    await (await kit.connect(options)).close();
  } finally {
    await kit.close();
  }
}

const context = new FakeToolContext();
class Answer {
  @IsString() name!: string;
}

const ping = { name: 'ping', inputSchema: { type: 'object' } };
const canonical = mcpAdapter.toCanonical(ping);
const matrix = new Matrix([{ component: 'api', constraint: '^1.0.0' }]);
const skills = { name: 'Agent', description: 'Answers', version: '1.0.0', tools: [] };
const stores = new InMemoryWorkflowStorage();

/** Everything that takes options: its name, its rules, and a use of it with given options. */
export const ENTRIES: readonly [
  string,
  Readonly<Record<string, OptionRule>>,
  (options: Options) => unknown,
][] = [
  ['McpApplication.create()', APPLICATION_RULES, part('create')],
  ['the option auth', AUTH_RULES, (auth) => part('create')({ auth })],
  ['openTelemetry()', OPEN_TELEMETRY_RULES, openTelemetry],
  ['the option fetch', HANDLER_RULES, (fetch) => part('create')({ fetch })],
  ['app.listen()', SERVER_RULES, (options) => served((app) => app.listen({ port: 0, ...options }))],
  ['app.stdio()', STDIO_RULES, (options) => served((app) => app.stdio(options))],
  ['new ToolRegistry()', REGISTRY_RULES, (options) => new ToolRegistry(options)],
  ['attachToServer()', ATTACH_RULES, (options) => new ToolRegistry().attachToServer({}, options)],
  ['a filter of an application', FILTER_RULES, part('create')],
  ['a filter of a registry', FILTER_RULES, (filter) => new ToolRegistry({ filter })],
  [
    'a filter of attachToServer()',
    FILTER_RULES,
    (filter) => new ToolRegistry().attachToServer({}, { filter }),
  ],
  ['a filter of getTools()', FILTER_RULES, (filter) => new ToolRegistry().getTools(filter)],
  ['createTool()', TOOL_RULES, (options) => builder(options)],
  ['.action()', TOOL_ACTION_RULES, (options) => builder({}, options)],
  ['.annotations()', HINT_RULES, (hints) => createTool('tool').annotations(hints)],
  ['@ToolGroup', GROUP_RULES, part('group')],
  ['annotations of @ToolGroup', HINT_RULES, (annotations) => part('group')({ annotations })],
  ['@Action', ACTION_RULES, part('action')],
  ['@Prompt', PROMPT_RULES, part('prompt')],
  ['@Resource', RESOURCE_RULES, part('resource')],
  ['@Field', FIELD_RULES, part('field')],
  ['@Injectable', INJECTABLE_RULES, part('injectable')],
  ['@Inject', INJECT_RULES, part('inject')],
  ['@Module', MODULE_RULES, part('module')],
  ['a provider', PROVIDER_RULES, part('provider')],
  ['breaker()', BREAKER_RULES, (options) => breaker('billing', options)],
  ['app.call()', CALL_RULES, (options) => served((app) => app.call('tool', { name: 'a' }, options))],
  ['app.export()', EXPORT_RULES, (options) => served((app) => app.export('openai', options))],
  [
    'runEvals()',
    EVAL_RULES,
    (options) => runEvals(() => Promise.reject(new Error('not opened')), [], options),
  ],
  ['app.dispatch()', EXPORT_RULES, (options) => served((app) => app.dispatch('openai', {}, options))],
  ['new InMemoryStore()', MEMORY_STORE_RULES, (options) => new InMemoryStore(options)],
  ['createTestApplication()', APPLICATION_RULES, (options) => createTestApplication(Root, options)],
  ['connect() of the test kit', TEST_CLIENT_RULES, connected],
  ['new FakeToolContext()', FAKE_CONTEXT_RULES, (options) => new FakeToolContext(options)],
  ['new AuthenticationError()', AUTHENTICATION_RULES, (options) => new AuthenticationError(401, options)],
  ['toonSuccess()', TOON_RULES, (options) => toonSuccess([], options)],
  ['ask() of a context', NAMED_QUESTION_RULES, (options) => context.ask(Answer, 'Sure?', options)],
  ['askUrl() of a context', NAMED_QUESTION_RULES, (options) => context.askUrl('a:b', 'Go?', options)],
  ['sample() of a context', NAMED_QUESTION_RULES, (options) => context.sample('Guess', options)],
  ['roots() of a context', NAMED_QUESTION_RULES, (options) => context.roots(options)],
  ['convert()', TARGET_RULES, (options) => defaultRegistry().convert(ping, 'mcp', 'openai', options)],
  ['convertMany()', TARGET_RULES, (options) => defaultRegistry().convertMany([], 'mcp', 'gemini', options)],
  ['an adapter', TARGET_RULES, (options) => mcpAdapter.fromCanonical(canonical, options)],
  ['supportsFeature()', TARGET_RULES, (options) => mcpAdapter.supportsFeature('anyOf', options)],
  ['the adapter of A2A', TARGET_RULES, (options) => a2aAdapter.fromCanonical(canonical, options)],
  ['a card of A2A', CARD_RULES, (options) => a2aAdapter.fromCanonicalProvider(skills, options)],
  ['createSchemaValidator()', VALIDATOR_RULES, (options) => createSchemaValidator(options)],
  ['check() of versions', CHECK_RULES, (options) => check('^1.0.0', '1.5.0', options)],
  ['negotiate()', CHECK_RULES, (options) => negotiate(matrix, 'api', [], options)],
  ['a matrix', CHECK_RULES, (options) => matrix.check('other', '1.5.0', options)],
  ['WorkflowModule.forRoot()', WORKFLOW_RULES, (options) => WorkflowModule.forRoot(options)],
  ['new WorkflowService()', SERVICE_RULES, (options) => new WorkflowService(options as never)],
  ['new RunService()', RUN_RULES, (options) => new RunService(options as never)],
  [
    'new WorkflowRpcServer()',
    RPC_RULES,
    (options) => new WorkflowRpcServer(new WorkflowService({ storage: stores }), options as never),
  ],
  ['new InMemoryRunStore()', MEMORY_RULES, (options) => new InMemoryRunStore(options)],
  ['new SqliteRunStore()', SQLITE_RULES, (options) => new SqliteRunStore(options as never)],
  ['new PostgresRunStore()', CONNECTION_RULES, (options) => new PostgresRunStore(options as never)],
  ['postgresBackplane()', POSTGRES_BACKPLANE_RULES, (options) => postgresBackplane(options as never)],
  ['createWorkflowStorage()', STORAGE_RULES, (options) => createWorkflowStorage(options as never)],
  ['new FileWorkflowStorage()', FILE_RULES, (options) => new FileWorkflowStorage(options as never)],
  [
    'new RedisWorkflowCache()',
    REDIS_WORKFLOW_CACHE_RULES,
    (options) => new RedisWorkflowCache({ client: new Redis({ lazyConnect: true }), ...(options as object) }),
  ],
  ['redisBackplane()', REDIS_BACKPLANE_RULES, (options) => redisBackplane(options as never)],
  ['a source', FILE_RULES, (source) => WorkflowModule.forRoot({ sources: [source as never] })],
  ['new CachingWorkflowStorage()', CACHING_RULES, (options) => new CachingWorkflowStorage(stores, options)],
  ['new ValidationEngine()', VALIDATION_ENGINE_RULES, (options) => new ValidationEngine(options)],
  ['new InMemoryWorkflowCache()', MEMORY_CACHE_RULES, (options) => new InMemoryWorkflowCache(options)],
];
