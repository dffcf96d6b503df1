import { ToolRegistry } from '../attach/tool-registry.ts';
import type { RequestContext } from '../call/request-context.ts';
import {
  bindApplication,
  prepareApplication,
  type CompiledApplication,
} from '../compile/compile-application.ts';
import type { CompiledPrompt } from '../compile/primitives/compile-prompt.ts';
import type { CompiledResource } from '../compile/primitives/compile-resource.ts';
import type { SurfaceName } from '../compile/surfaces/surface.ts';
import { checkToolNames } from '../compile/tools/prepared-tool.ts';
import type { ApplicationContainer } from '../container/application-container.ts';
import { createContainer } from '../container/create-container.ts';
import { loadContainerFile, TsyringeContainer } from '../container/user-container.ts';
import { ProblemList } from '../errors/problem-list.ts';
import type { DynamicModule } from '../metadata/module-options.ts';
import { createCompletionService } from '../runtime/primitives/completions.ts';
import { createService, type McpService } from '../runtime/service.ts';
import { createPromptService } from '../runtime/primitives/prompts.ts';
import { createResourceService } from '../runtime/primitives/resources.ts';
import type { PartName, ToolService } from '../runtime/routes/service-parts.ts';
import { PrimitiveRegistry } from '../runtime/primitives/primitive-registry.ts';
import type { ServiceSettings } from '../runtime/routes/route.ts';
import { COMPOSITION } from '../app/features.ts';
import type { Composition } from '../features/feature.ts';
import { findAroundMiddleware, withOptionalStages } from '../runtime/feature-stages.ts';
import {
  createCloser,
  isOffered,
  reportChange,
  startedWork,
  startStates,
} from '../runtime/feature-states.ts';
import { withCallLog } from '../runtime/logging/call-logger.ts';
import { scanApplication, type ScannedApplication } from '../scanner/scan-application.ts';
import type { Class } from '../shared/class-type.ts';
import type { ApplicationOptions } from './application-options.ts';
import { checkSharedLists, loadFitting, readSurfaces } from './surface-options.ts';
import { ApplicationServer } from './application-server.ts';
import { createOperations } from './operations/create-operations.ts';
import { checkConfigs } from './config-module.ts';
import { NOTHING_SHARED, openBackplane, type BackplanePorts } from './backplane.ts';
import { Forgetting } from './forget.ts';
import { Replicas } from './replicas.ts';
import { Opened, StartStages } from './start-stages.ts';
import { currentHost } from './host.ts';
import {
  checkRequirementsOf,
  readOptions,
  registryOptions,
  serverInfo,
  type ApplicationSettings,
} from './application-settings.ts';
import type { ExportSource, Exposition, ToolExports } from './bridge/tool-exports.ts';
import { ListenedNotifier } from '../call/notifier.ts';
import { createSurfaceHash, logFindings } from './describe-application.ts';
import { compareClock, sharedSettings } from './shared-settings.ts';
import type { InstanceResolver } from '../container/instance-resolver.ts';
import { RegisteredTools } from '../registry/tool-registry.ts';
import { OnceMade } from '../shared/once-made.ts';
import type { ToolSet } from '../compile/tools/compile-tool-set.ts';
import type { LocalTools } from '../runtime/local-calls.ts';

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
  readonly forgetting: Forgetting;
  readonly settings: ApplicationSettings;
  readonly notifier: ListenedNotifier;
  readonly ports: BackplanePorts;
  readonly replicas: Replicas;
}

type Close = (signal?: string) => Promise<void>;

/** What a start is given. */
interface Given {
  readonly rootModule: Class | DynamicModule;
  readonly options: ApplicationOptions;
  readonly close: Close;
  /** The application whose place is taken. */
  readonly predecessor: ApplicationParts | undefined;
  readonly composition: Composition;
  readonly problems: ProblemList;
  readonly opened: Opened;
  /** Whether the application only shows what it offers. */
  readonly isLazy: boolean;
}

/** What a start comes to. */
interface Made {
  readonly parts: ApplicationParts;
}

/**
 * The stages of a start. What is wrong with the application is known before anything is constructed, and nothing is opened
 * before that.
 */
export const START: StartStages<Given, Given & Made> = StartStages.of<Given>()
  .stage('read options', async ({ rootModule, options, problems, composition: { features } }) => ({
    settings: readOptions(rootModule, options, problems, features, await loadFitting(options, problems)),
  }))
  .stage('take the container', async ({ settings, problems }) => {
    await loadContainerFile();
    return { user: TsyringeContainer.of(settings.container, problems) };
  })
  .stage('scan', ({ rootModule, settings, user, predecessor, problems }) => {
    // Instances that live on have been given the notifier of their time
    const notifier = predecessor?.notifier ?? new ListenedNotifier(() => undefined);
    const options = { ...settings.scan, notifier, container: user };
    return { notifier, scanned: scanApplication(rootModule, options, problems) };
  })
  .stage('check', ({ scanned, settings, composition, problems }) => {
    checkRequirementsOf(scanned, settings, problems);
    checkSharedLists(settings, problems);
    for (const feature of composition.features) feature.check?.(scanned, settings, problems);
    return {};
  })
  .stage('prepare', ({ scanned, settings, composition, problems }) => {
    const { filter, surfaces } = settings;
    const prepared = prepareApplication(scanned, problems, filter, composition.features, surfaces);
    for (const tool of prepared.tools) checkToolNames(tool, problems);
    return { prepared };
  })
  .stage('report problems', async ({ scanned, settings, problems }) => {
    settings.hidden.push(...(await checkConfigs(scanned, problems)));
    problems.throwIfAny(settings.name);
    return {};
  })
  .stage('construct', async ({ scanned, predecessor, isLazy, user, opened }) => {
    const container = await createContainer(scanned, { predecessor: predecessor?.container, isLazy, user });
    opened.onFailure((error) => container.abandon(error));
    return { container };
  })
  .stage('place the stages of calls', ({ composition: { features, stages }, settings, scanned }) => ({
    calls: { features, stages: withCallLog(withOptionalStages(stages, features, settings), scanned) },
  }))
  .stage('open the backplane', async ({ settings, isLazy, opened }) => {
    const ports = isLazy ? NOTHING_SHARED : await openBackplane(settings);
    opened.add(() => ports.close?.());
    return { ports };
  })
  .stage(
    'make states',
    async ({ settings, ports, scanned, isLazy, notifier, calls, container, predecessor, opened }) => {
      const given = { settings, ports, scanned, isLazy, notifier };
      const shared = sharedSettings(given, calls, container, predecessor);
      // What features have to store last is stored while the stores are open
      opened.add(createCloser(shared));
      await startStates(shared);
      return { shared };
    },
  )
  .stage('join other instances', async ({ ports, settings, opened }) => ({
    replicas: await Replicas.join(ports, settings, opened),
  }))
  .stage('bind', ({ prepared, container, calls, settings, scanned, shared, isLazy }) => {
    const { features, stages } = calls;
    const { argumentNodes } = settings;
    const aroundLayer = findAroundMiddleware(features, settings);
    const composition = { features, stages: stages.attempt };
    const compiled = bindApplication(prepared, container, composition, { aroundLayer, argumentNodes });
    logFindings(settings, { scanned, compiled, shared }, isLazy);
    return { compiled };
  })
  .stage('serve', ({ shared, close, predecessor, ...made }) => {
    const { scanned, compiled, container, settings, notifier, ports, replicas } = made;
    const own = { scanned, compiled, container, settings, notifier, ports, replicas };
    const parts = bindParts(own, shared, close, predecessor);
    if (predecessor === undefined) notifier.redirect((change) => parts.server.notify(change));
    return { parts };
  })
  .stage('begin', async ({ parts, container, shared, isLazy }) => {
    await container.start();
    compareClock(shared, isLazy);
    await reportChange(shared, 'started', createSurfaceHash(parts.service));
    return {};
  });

/** Starts an application. Loaded with the first one: code that only decorates classes or builds tools does not need it. */
export async function assembleApplication(
  rootModule: Class | DynamicModule,
  options: ApplicationOptions,
  close: Close,
  predecessor?: ApplicationParts,
  composition: Composition = COMPOSITION,
): Promise<ApplicationParts> {
  const opened = new Opened();
  const isLazy = currentHost()?.compilesOnly === true;
  const problems = new ProblemList();
  try {
    const given = { rootModule, options, close, predecessor, composition, problems, opened, isLazy };
    return (await START.run(given)).parts;
  } catch (error) {
    throw await opened.fail(error);
  }
}

function bindParts(
  made: Omit<
    ApplicationParts,
    'registry' | 'prompts' | 'resources' | 'service' | 'server' | 'exports' | 'forgetting'
  >,
  shared: ServiceSettings,
  close: Close,
  predecessor: ApplicationParts | undefined,
): ApplicationParts {
  const { scanned, compiled, container, settings, replicas } = made;
  const registry: ToolRegistry = new ToolRegistry(registryOptions(settings), {
    settings: shared,
    attach: (target, service) => server.attach(target, service),
  }).add(compiled.tools);
  const prompts = new PrimitiveRegistry('prompt', compiled.prompts);
  const resources = new PrimitiveRegistry('resource', compiled.resources);
  const service = serveParts({ registry, prompts, resources }, settings, shared);
  const background = startedWork(shared, predecessor?.service.settings);
  const { contextFactory } = settings;
  const explored = new OnceMade(async () => {
    const { exploreApplication } = await import('./explorer/explored.ts');
    return exploreApplication({
      ...made,
      logger: settings.logger,
      info: serverInfo(settings),
      registry,
      service,
      contextFactory,
    });
  });
  const operations = createOperations(made);
  const around = { background, replicas, operations, explored: () => explored.get() };
  const server = new ApplicationServer(settings, service, close, around);
  const serve: ServeLocally = (tools, surface) => server.serveLocally(tools, surface);
  const exports = lazyExports(createExportSource(registry, scanned, container, settings, serve));
  const changed = (kind: 'tools' | 'prompts' | 'resources') => (): void => {
    server.notify({ kind });
    void reportChange(shared, kind, createSurfaceHash(service));
  };
  registry.onChange(changed('tools'));
  prompts.onChange(changed('prompts'));
  resources.onChange(changed('resources'));
  const forgetting = new Forgetting({ service, ports: made.ports, replicas, settings });
  return Object.freeze({
    ...made,
    forgetting,
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
  const { contextFactory, maskErrors, logger, hidden, hashSubject, argumentNodes, filter } = settings;
  const contextOf = (request: RequestContext) => contextFactory(undefined, request);
  const options = Object.freeze({
    maskErrors,
    logger,
    hidden,
    hashSubject,
    argumentNodes,
    filter,
    contextOf,
  });
  const sources = {
    prompts: () => prompts.enabled,
    resources: () => resources.enabled,
  };
  const offers = (part: PartName): boolean => isOffered(part, shared.features, shared.states);
  const has = {
    prompts: prompts.names.length > 0 || offers('prompts'),
    resources: resources.names.length > 0 || offers('resources'),
    completions: hasCompletions(prompts, resources) || offers('completions'),
  };
  const parts = {
    tools: registry.toolsWith(contextFactory),
    prompts: has.prompts ? createPromptService(sources.prompts, options) : undefined,
    resources: has.resources ? createResourceService(sources.resources, options) : undefined,
    completions: has.completions ? createCompletionService(sources, options) : undefined,
  };
  return createService(parts, shared, logger);
}

function hasCompletions(
  prompts: PrimitiveRegistry<CompiledPrompt>,
  resources: PrimitiveRegistry<CompiledResource>,
): boolean {
  return (
    prompts.enabled.some(({ completers }) => completers.size > 0) ||
    resources.enabled.some((resource) => resource.kind === 'template' && resource.completers.size > 0)
  );
}

/** Lets tools be listed and called from inside the process, as `app.call` does. */
type ServeLocally = (tools: ToolService, surface: SurfaceName) => LocalTools;

/** Creates the source of an application's exports. */
function createExportSource(
  registry: RegisteredTools,
  scanned: ScannedApplication,
  resolver: InstanceResolver,
  settings: ApplicationSettings,
  serve: ServeLocally,
): ExportSource {
  const { sets } = registry;
  return Object.freeze({
    registry,
    expose: (exposition) => {
      const exposed = exposeTools(registry, scanned, exposition, resolver, settings);
      const byName = new Map(exposed.tools.map((set) => [set.name, set]));
      const forms = new Map(sets.map((set) => [set, byName.get(set.name) ?? set]));
      return exposed.registry.follow(registry, forms);
    },
    serve: (from, surface) => serve(from.toolsWith(settings.contextFactory), surface),
  } satisfies ExportSource);
}

/**
 * The same actions, offered in the given way, regardless of the settings of the groups.
 * @throws ApplicationError if names collide in the requested form
 */
function exposeTools(
  registry: RegisteredTools,
  scanned: ScannedApplication,
  { surface = 'own', ...way }: Exposition,
  resolver: InstanceResolver,
  settings: ApplicationSettings,
): { readonly registry: RegisteredTools; readonly tools: readonly ToolSet[] } {
  const problems = new ProblemList();
  const { features, stages } = registry.settings;
  const composition = { features: features as Composition['features'], stages: stages.attempt };
  const exposed = { ...scanned, tools: scanned.tools.map((tool) => ({ ...tool, ...way })) };
  const prepared = prepareApplication(
    { ...exposed, prompts: [], resources: [] },
    problems,
    {},
    composition.features,
  );
  problems.throwIfAny(settings.name);
  const known = registry.settings.surfaces ?? readSurfaces({ use: surface });
  const surfaces = surface === 'own' || known === undefined ? undefined : { ...known, use: surface };
  const own = { ...registry.settings, surfaces };
  const { tools } = bindApplication(prepared, resolver, composition, settings);
  return { registry: new RegisteredTools(registryOptions(settings), own), tools };
}

/** Returns the exports of an application. The first use loads the provider formats. */
function lazyExports(source: ExportSource): () => Promise<ToolExports> {
  const opened = new OnceMade(async () => {
    const { ToolExports } = await import('./bridge/tool-exports.ts');
    return new ToolExports(source);
  });
  return () => opened.get();
}
