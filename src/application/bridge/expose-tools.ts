import { bindApplication, prepareApplication } from '../../compile/compile-application.ts';
import type { InstanceResolver } from '../../container/instance-resolver.ts';
import { ProblemList } from '../../errors/problem-list.ts';
import type { Expose } from '../../metadata/options.ts';
import { ToolRegistry } from '../../runtime/tool-registry.ts';
import type { ScannedApplication } from '../../scanner/scanned-application.ts';
import { registryOptions, type ApplicationSettings } from '../application-settings.ts';

/**
 * The same actions, grouped or flat as the caller wants them, whatever the groups say themselves.
 * @throws ApplicationError when names meet that do not meet otherwise
 */
export function exposeTools(
  scanned: ScannedApplication,
  expose: Expose,
  resolver: InstanceResolver,
  settings: ApplicationSettings,
): ToolRegistry {
  const problems = new ProblemList();
  const exposed = { ...scanned, tools: scanned.tools.map((tool) => ({ ...tool, expose })) };
  const prepared = prepareApplication({ ...exposed, prompts: [], resources: [] }, problems);
  problems.throwIfAny(settings.name);
  return new ToolRegistry(registryOptions(settings)).add(bindApplication(prepared, resolver).tools);
}
