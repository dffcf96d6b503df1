import type { McpApplication } from '../index.ts';
import { limitFrom, type Curated, type SelectionLimits } from '../operations/curation.ts';
import { planModule, planOperations, type ApiPlan } from '../operations/plan.ts';
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

/** Makes the routes alone an application, and counts it. */
export async function planRoutes(
  nest: NestApplication,
  { own, application }: SplitOptions,
): Promise<ApiPlan> {
  const api = prepareApi(nest, { ...own, maxActions: Infinity }, [own.path ?? '/mcp']);
  api.problems.throwIfAny('planNest()');
  return planModule(api.curated, api.module(), application, limitsFrom(own));
}

/** Counts what an application offers, and holds it to the limits. */
export function countTools(curated: Curated, application: McpApplication, own: OwnOptions): Promise<ApiPlan> {
  return planOperations(curated, application, limitsFrom(own));
}

function limitsFrom(own: OwnOptions): SelectionLimits {
  return { maxActions: limitFrom(own), maxTokens: own.maxTokens };
}
