import { bindApplication, prepareApplication } from '../../compile/compile-application.ts';
import type { InstanceResolver } from '../../container/instance-resolver.ts';
import { ProblemList } from '../../errors/problem-list.ts';
import type { Expose } from '../../metadata/options.ts';
import type { ToolService } from '../../runtime/service-parts.ts';
import { RegisteredTools } from '../../runtime/tools/tool-registry.ts';
import type { ScannedApplication } from '../../scanner/scan-application.ts';
import { OnceMade } from '../../shared/once-made.ts';
import { type ApplicationSettings, registryOptions } from '../application-settings.ts';
import type { CallTool } from './tool-bridge.ts';
import type { ExportSource, ToolExports } from './tool-exports.ts';

/** Creates a function that calls tools from inside the process, as `app.call` does. */
type CallThrough = (tools: ToolService) => CallTool;

/** Creates the source of an application's exports. */
export function createExportSource(
  registry: RegisteredTools,
  scanned: ScannedApplication,
  resolver: InstanceResolver,
  settings: ApplicationSettings,
  callThrough: CallThrough,
): ExportSource {
  return Object.freeze({
    registry,
    expose: (expose) => exposeTools(registry, scanned, expose, resolver, settings),
    callThrough: (from) => callThrough(from.toolsWith(settings.contextFactory)),
  } satisfies ExportSource);
}

/**
 * The same actions, grouped or flat as requested, regardless of the settings of the groups.
 * @throws ApplicationError if names collide in the requested form
 */
function exposeTools(
  registry: RegisteredTools,
  scanned: ScannedApplication,
  expose: Expose,
  resolver: InstanceResolver,
  settings: ApplicationSettings,
): RegisteredTools {
  const problems = new ProblemList();
  const exposed = { ...scanned, tools: scanned.tools.map((tool) => ({ ...tool, expose })) };
  const prepared = prepareApplication({ ...exposed, prompts: [], resources: [] }, problems);
  problems.throwIfAny(settings.name);
  return new RegisteredTools(registryOptions(settings), registry.settings).add(
    bindApplication(prepared, resolver, registry.settings.stages.attempt).tools,
  );
}

/** Returns the exports of an application. The first use loads the provider formats. */
export function lazyExports(source: ExportSource): () => Promise<ToolExports> {
  const opened = new OnceMade(async () => {
    const { ToolExports } = await import('./tool-exports.ts');
    return new ToolExports(source);
  });
  return () => opened.get();
}
