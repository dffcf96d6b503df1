import { builtin } from '../shared/platform.ts';
import { ToolRegistry } from '../attach/tool-registry.ts';
import type { RequestContext } from '../call/request-context.ts';
import {
  bindApplication,
  prepareApplication,
  type CompiledApplication,
} from '../compile/compile-application.ts';
import type { CompiledPrompt } from '../compile/primitives/compile-prompt.ts';
import type { CompiledResource } from '../compile/primitives/compile-resource.ts';
import { checkToolNames } from '../compile/tools/prepared-tool.ts';
import type { ApplicationContainer } from '../container/application-container.ts';
import { createContainer } from '../container/create-container.ts';
import { ProblemList } from '../errors/problem-list.ts';
import type { DynamicModule } from '../metadata/module-options.ts';
import { Authorization, type AuthorizationSettings } from '../runtime/requirements/authorization.ts';
import { CallRecords } from '../runtime/idempotency/call-records.ts';
import { Consents } from '../runtime/consent/consents.ts';
import { createReplayEngine } from '../runtime/replay/replay-engine.ts';
import { createCompletionService } from '../runtime/completions.ts';
import { createService, type McpService } from '../runtime/service.ts';
import { createPromptService } from '../runtime/prompts.ts';
import { createResourceService } from '../runtime/resources.ts';
import type { ToolService } from '../runtime/service-parts.ts';
import { createPagination } from '../runtime/pagination.ts';
import { PrimitiveRegistry } from '../runtime/primitive-registry.ts';
import type { Rings, ServiceSettings } from '../runtime/route.ts';
import { STAGES } from '../runtime/stages.ts';
import { Limits } from '../runtime/limits/limits.ts';
import { Tasks } from '../runtime/tasks/tasks.ts';
import { scanApplication, type ScannedApplication } from '../scanner/scan-application.ts';
import type { Class } from '../shared/class-type.ts';
import type { ApplicationOptions } from './application-options.ts';
import { ApplicationServer } from './application-server.ts';
import { currentHost } from './host.ts';
import type { AuthOptions } from '../metadata/auth-options.ts';
import {
  checkConsentsOf,
  checkRequirementsOf,
  readOptions,
  registryOptions,
  type ApplicationSettings,
} from './application-settings.ts';
import type { ExportSource, Exposition, ToolExports } from './bridge/tool-exports.ts';
import { ListenedNotifier } from '../call/notifier.ts';
import { logWarnings } from './describe-application.ts';
import type { InstanceResolver } from '../container/instance-resolver.ts';
import { RegisteredTools } from '../runtime/tools/tool-registry.ts';
import { OnceMade } from '../shared/once-made.ts';
import type { CallTool } from './bridge/tool-bridge.ts';

/** What an application consists of. */
export interface ApplicationParts {
  readonly scanned: ScannedApplication;
  readonly compiled: CompiledApplication;
  readonly container: ApplicationContainer;
  readonly registry: ToolRegistry;
  readonly prompts: PrimitiveRegistry<CompiledPrompt>;
  readonly resources: PrimitiveRegistry<CompiledResource>;
  readonly service: McpService;
  readonly server: ApplicationServer;
  readonly exports: () => Promise<ToolExports>;
  readonly settings: ApplicationSettings;
  readonly notifier: ListenedNotifier;
}

type Close = (signal?: string) => Promise<void>;

/**
 * Scan, compile, construct, bind, start. Loaded with the first application: code that only decorates classes or
 * builds tools does not need it.
 */
export async function assembleApplication(
  rootModule: Class | DynamicModule,
  options: ApplicationOptions,
  close: Close,
  predecessor?: ApplicationParts,
  stages: Rings = STAGES,
): Promise<ApplicationParts> {
  const problems = new ProblemList();
  const settings = readOptions(rootModule, options, problems);
  let server: ApplicationServer | undefined;
  // Instances that live on have been given the notifier of their time.
  const notifier = predecessor?.notifier ?? new ListenedNotifier((change) => server?.notify(change));
  const scanned = scanApplication(rootModule, { ...settings.scan, notifier }, problems);
  checkRequirementsOf(scanned, settings, problems);
  checkConsentsOf(scanned, settings, problems);
  const prepared = prepareApplication(scanned, problems, settings.filter);
  for (const tool of prepared.tools) checkToolNames(tool, problems);
  problems.throwIfAny(settings.name);
  const isLazy = currentHost()?.compilesOnly === true;
  const container = await createContainer(scanned, { predecessor: predecessor?.container, isLazy });
  try {
    const compiled = bindApplication(prepared, container, stages.attempt);
    logWarnings(settings.name, scanned, compiled, settings.logger);
    const shared = sharedSettings(settings, stages, container, predecessor);
    const made = { scanned, compiled, container, settings, notifier };
    const parts = bindParts(made, shared, close, predecessor);
    server = parts.server;
    await container.start();
    return parts;
  } catch (error) {
    throw await container.abandon(error);
  }
}

function bindParts(
  made: Pick<ApplicationParts, 'scanned' | 'compiled' | 'container' | 'settings' | 'notifier'>,
  shared: ServiceSettings,
  close: Close,
  predecessor: ApplicationParts | undefined,
): ApplicationParts {
  const { scanned, compiled, container, settings } = made;
  const registry = new ToolRegistry(registryOptions(settings), {
    settings: shared,
    attach: (target, service) => server.attachOther(target, service),
  }).add(compiled.tools);
  const prompts = new PrimitiveRegistry('prompt', compiled.prompts);
  const resources = new PrimitiveRegistry('resource', compiled.resources);
  const service = serveParts({ registry, prompts, resources }, settings, shared);
  const ownsTasks = shared.tasks !== predecessor?.service.settings.tasks;
  const server = new ApplicationServer(settings, service, close, ownsTasks);
  const callThrough = (tools: ToolService) => server.callerOf(tools);
  const exports = lazyExports(createExportSource(registry, scanned, container, settings, callThrough));
  registry.onChange(() => server.notify({ kind: 'tools' }));
  prompts.onChange(() => server.notify({ kind: 'prompts' }));
  resources.onChange(() => server.notify({ kind: 'resources' }));
  return Object.freeze({
    ...made,
    registry,
    prompts,
    resources,
    service,
    server,
    exports,
  });
}

/** The parts that an application serves; each can change at run time. */
interface ServedParts {
  readonly registry: ToolRegistry;
  readonly prompts: PrimitiveRegistry<CompiledPrompt>;
  readonly resources: PrimitiveRegistry<CompiledResource>;
}

/** The service of an application. Parts that are empty at its start are not declared to clients. */
function serveParts(
  { registry, prompts, resources }: ServedParts,
  settings: ApplicationSettings,
  shared: ServiceSettings,
): McpService {
  const { contextFactory, maskErrors, logger, hidden, argumentNodes, filter } = settings;
  const contextOf = (request: RequestContext) => contextFactory(undefined, request);
  const options = Object.freeze({
    maskErrors,
    logger,
    hidden,
    argumentNodes,
    filter,
    contextOf,
  });
  const sources = {
    prompts: () => prompts.enabled,
    resources: () => resources.enabled,
  };
  const parts = {
    tools: registry.toolsWith(contextFactory),
    prompts: prompts.names.length === 0 ? undefined : createPromptService(sources.prompts, options),
    resources: resources.names.length === 0 ? undefined : createResourceService(sources.resources, options),
    completions: hasCompletions(prompts, resources) ? createCompletionService(sources, options) : undefined,
  };
  return createService(parts, shared, logger);
}

/**
 * The settings that all services of the application share. Calls that wait for an answer, and tasks, are known to the
 * application that takes the place of the one where they began, unless it keeps them in another way.
 */
function sharedSettings(
  settings: ApplicationSettings,
  stages: Rings,
  resolver: InstanceResolver,
  predecessor: ApplicationParts | undefined,
): ServiceSettings {
  const former = predecessor?.settings;
  // Only a host that replaces applications has two of them, and it runs in Node
  const isEqual = builtin('node:util')?.isDeepStrictEqual ?? Object.is;
  const isSame = (names: readonly (keyof ApplicationSettings)[]): boolean =>
    former !== undefined && names.every((name) => isEqual(former[name], settings[name]));
  const before = predecessor?.service.settings;
  const keep = <Name extends 'replayEngine' | 'limits' | 'callRecords' | 'consents' | 'tasks'>(
    part: Name,
    names: readonly (keyof ApplicationSettings)[],
    make: () => ServiceSettings[Name],
  ): ServiceSettings[Name] => (before !== undefined && isSame(names) ? before[part] : make());
  const { name: server, secrets, onceStore, questionTtl: lifetime, replay: replays, logger } = settings;
  const { pageSize, cache, tasks = {} } = settings;
  return Object.freeze({
    stages,
    pagination: pageSize === undefined ? undefined : createPagination(pageSize, { server, secrets }),
    cache,
    replayEngine: keep('replayEngine', ['name', 'secrets', 'onceStore', 'questionTtl', 'replay'], () =>
      createReplayEngine({ server, secrets, onceStore, lifetime, replays, logger }),
    ),
    limits: keep('limits', ['limits'], () => new Limits(settings.limits)),
    callRecords: keep(
      'callRecords',
      ['name', 'secrets', 'questionTtl', 'idempotency'],
      () => new CallRecords({ ...settings.idempotency, server, secrets, questionTtl: lifetime, logger }),
    ),
    consents: keep(
      'consents',
      ['name', 'secrets', 'onceStore', 'consent'],
      () => new Consents({ server, secrets, onceStore, page: settings.consent, logger }),
    ),
    tasks: keep('tasks', ['tasks'], () => new Tasks(tasks, logger)),
    auth: settings.resourceServer,
    authorization: createAuthorization(settings, resolver),
  });
}

function createAuthorization(
  { logger, auth = false, resourceServer }: ApplicationSettings,
  resolver: InstanceResolver,
): Authorization {
  const options = auth === false ? OPEN : auth;
  return new Authorization({
    logger,
    resolver,
    signIn: resourceServer,
    ...options,
    byDefault: options.default ?? 'authenticated',
    trusts: trustedCallers(options.local),
    implies: options.scopes?.implies,
  });
}

function trustedCallers(local: AuthOptions['local']): AuthorizationSettings['trusts'] {
  if (currentHost()?.trustsCallers === true) return 'everybody';
  return local === 'trusted' ? 'local' : 'nobody';
}

const OPEN: Partial<AuthOptions> = { default: 'public' };

function hasCompletions(
  prompts: PrimitiveRegistry<CompiledPrompt>,
  resources: PrimitiveRegistry<CompiledResource>,
): boolean {
  return (
    prompts.enabled.some(({ completers }) => completers.size > 0) ||
    resources.enabled.some((resource) => resource.kind === 'template' && resource.completers.size > 0)
  );
}

/** Creates a function that calls tools from inside the process, as `app.call` does. */
type CallThrough = (tools: ToolService) => CallTool;

/** Creates the source of an application's exports. */
function createExportSource(
  registry: RegisteredTools,
  scanned: ScannedApplication,
  resolver: InstanceResolver,
  settings: ApplicationSettings,
  callThrough: CallThrough,
): ExportSource {
  return Object.freeze({
    registry,
    expose: (exposition) => exposeTools(registry, scanned, exposition, resolver, settings),
    callThrough: (from) => callThrough(from.toolsWith(settings.contextFactory)),
  } satisfies ExportSource);
}

/**
 * The same actions, offered in the given way, regardless of the settings of the groups.
 * @throws ApplicationError if names collide in the requested form
 */
function exposeTools(
  registry: RegisteredTools,
  scanned: ScannedApplication,
  exposition: Exposition,
  resolver: InstanceResolver,
  settings: ApplicationSettings,
): RegisteredTools {
  const problems = new ProblemList();
  const exposed = { ...scanned, tools: scanned.tools.map((tool) => ({ ...tool, ...exposition })) };
  const prepared = prepareApplication({ ...exposed, prompts: [], resources: [] }, problems);
  problems.throwIfAny(settings.name);
  return new RegisteredTools(registryOptions(settings), registry.settings).add(
    bindApplication(prepared, resolver, registry.settings.stages.attempt).tools,
  );
}

/** Returns the exports of an application. The first use loads the provider formats. */
function lazyExports(source: ExportSource): () => Promise<ToolExports> {
  const opened = new OnceMade(async () => {
    const { ToolExports } = await import('./bridge/tool-exports.ts');
    return new ToolExports(source);
  });
  return () => opened.get();
}
