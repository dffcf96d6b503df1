import type { CompiledPrompt } from '../compile/compiled-prompt.ts';
import type { CompiledResource } from '../compile/compiled-resource.ts';
import {
  bindApplication,
  prepareApplication,
  type CompiledApplication,
} from '../compile/compile-application.ts';
import { checkToolNames } from '../compile/strategies/tool-names.ts';
import type { ApplicationContainer } from '../container/application-container.ts';
import { createContainer } from '../container/create-container.ts';
import { ProblemList } from '../errors/problem-list.ts';
import type { DynamicModule } from '../metadata/options.ts';
import type { ToolService } from '../runtime/mcp-service.ts';
import { Offers } from '../runtime/offers.ts';
import type { McpService } from '../runtime/service.ts';
import { ToolRegistry } from '../runtime/tool-registry.ts';
import { collectApplication } from '../scanner/scan-application.ts';
import type { ScannedApplication } from '../scanner/scanned-application.ts';
import type { Class } from '../shared/class-type.ts';
import type { ApplicationOptions } from './application-options.ts';
import { ApplicationServer } from './application-server.ts';
import { readOptions, registryOptions, type ApplicationSettings } from './application-settings.ts';
import { createExportSource } from './bridge/export-source.ts';
import type { ToolExports } from './bridge/tool-exports.ts';
import { createNotifier } from './create-notifier.ts';
import { serveParts, sharedSettings } from './create-service.ts';
import { lazyExports } from './lazy-exports.ts';
import { logWarnings } from './log-warnings.ts';

/** What an application consists of. */
export interface ApplicationParts {
  readonly scanned: ScannedApplication;
  readonly compiled: CompiledApplication;
  readonly container: ApplicationContainer;
  readonly registry: ToolRegistry;
  readonly prompts: Offers<CompiledPrompt>;
  readonly resources: Offers<CompiledResource>;
  readonly service: McpService;
  readonly server: ApplicationServer;
  readonly exports: () => Promise<ToolExports>;
}

type Close = (signal?: string) => Promise<void>;

/**
 * Scan, compile, construct, bind, start. Loaded with the first application: who only decorates classes or builds
 * tools needs nothing of it.
 */
export async function assembleApplication(
  rootModule: Class | DynamicModule,
  options: ApplicationOptions,
  close: Close,
): Promise<ApplicationParts> {
  const problems = new ProblemList();
  const settings = readOptions(rootModule, options, problems);
  const changes = createNotifier();
  const scanned = collectApplication(rootModule, { ...settings.scan, notifier: changes.notifier }, problems);
  const prepared = prepareApplication(scanned, problems, settings.filter);
  for (const tool of prepared.tools) checkToolNames(tool, problems);
  problems.throwIfAny(settings.name);
  const container = await createContainer(scanned);
  try {
    const compiled = bindApplication(prepared, container);
    logWarnings(settings.name, scanned, compiled, settings.logger);
    const parts = bindParts({ scanned, compiled, container }, settings, close);
    changes.onChange((change) => parts.server.notify(change));
    await container.start();
    return parts;
  } catch (error) {
    throw await container.abandon(error);
  }
}

function bindParts(
  made: Pick<ApplicationParts, 'scanned' | 'compiled' | 'container'>,
  settings: ApplicationSettings,
  close: Close,
): ApplicationParts {
  const { scanned, compiled, container } = made;
  const shared = sharedSettings(settings);
  const registry = new ToolRegistry(registryOptions(settings), {
    settings: shared,
    attach: (target, service) => server.attachOther(target, service),
  }).add(compiled.tools);
  const prompts = new Offers('prompt', compiled.prompts);
  const resources = new Offers('resource', compiled.resources);
  const service = serveParts({ registry, prompts, resources }, settings, shared);
  const server = new ApplicationServer(settings, service, close);
  const callThrough = (tools: ToolService) => server.callerOf(tools);
  const exports = lazyExports(createExportSource(registry, scanned, container, settings, callThrough));
  registry.onChange(() => server.notify({ kind: 'tools' }));
  prompts.onChange(() => server.notify({ kind: 'prompts' }));
  resources.onChange(() => server.notify({ kind: 'resources' }));
  return Object.freeze({ ...made, registry, prompts, resources, service, server, exports });
}
