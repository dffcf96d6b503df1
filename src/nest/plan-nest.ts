import { McpApplication, Module, type ApplicationOptions } from '../index.ts';
import { limitFrom, type Curated } from '../operations/curation.ts';
import { planOperations, type ApiPlan } from '../operations/plan.ts';
import { partsOfNest, type NestApplication } from './nest-application.ts';
import { prepareApi } from './nest-api.ts';
import { splitOptions, type ExposeNestOptions, type OwnOptions, type SplitOptions } from './options.ts';

/**
 * What `exposeNest()` would offer, and what it costs: each group with its tokens, and why each of the other routes is left out.
 * It initializes the application, and neither mounts nor calls anything.
 *
 * @throws ApplicationError with every problem but that of too many actions
 * @example
 * import { NestFactory } from '@nestjs/core';
 * import { planNest } from 'toolwright/nest';
 *
 * const nest = await NestFactory.create(AppModule);
 * const { groups, include } = await planNest(nest, { maxActions: 20 });
 */
export async function planNest(nest: NestApplication, options: ExposeNestOptions = {}): Promise<ApiPlan> {
  const split = splitOptions(options, 'planNest()');
  if (!partsOfNest(nest, 'planNest()').isInitialized) await nest.init();
  return planRoutes(nest, split);
}

/** The root of an application that is counted. */
class PlannedModule {}
Module()(PlannedModule);

/** What decides how tools are listed. The rest would open stores, or ask for keys. */
const LISTED: readonly (keyof ApplicationOptions)[] = ['expose', 'describe', 'unknownFields', 'openWorld'];

/** Makes the routes alone an application, and counts it. */
export async function planRoutes(
  nest: NestApplication,
  { own, application }: SplitOptions,
): Promise<ApiPlan> {
  const api = prepareApi(nest, { ...own, maxActions: Infinity }, [own.path ?? '/mcp']);
  api.problems.throwIfAny('planNest()');
  const options = Object.fromEntries(
    Object.entries(application).filter(([name]) => LISTED.includes(name as never)),
  );
  const root = { module: PlannedModule, imports: [api.module()] };
  const made = await McpApplication.create(root, { ...options, logger: () => undefined });
  try {
    return await countTools(api.curated, made, own);
  } finally {
    await made.close();
  }
}

/** Counts what an application offers, and holds it to the limits. */
export function countTools(curated: Curated, application: McpApplication, own: OwnOptions): Promise<ApiPlan> {
  return planOperations(curated, application, { maxActions: limitFrom(own), maxTokens: own.maxTokens });
}
