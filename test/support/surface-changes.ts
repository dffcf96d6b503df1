import { McpApplication, Module } from 'toolwright';
import { compareSurfaces } from '../../src/cli/lock/compare-surfaces.ts';
import { surfaceOfApplication } from '../../src/cli/surface/read-surface.ts';
import type { Surface } from '../../src/cli/surface/surface.ts';

type Class = new () => object;

/** What a lock file would hold of these controllers. */
export async function surfaceOf(...controllers: readonly Class[]): Promise<Surface> {
  @Module({ controllers: [...controllers] })
  class Root {}
  const app = await McpApplication.create(Root, { name: 'desk', version: '1.0.0' });
  const surface = await surfaceOfApplication(app);
  await app.close();
  return JSON.parse(JSON.stringify(surface)) as Surface;
}

/** Level, rule and place of each change between two controllers. */
export async function changes(before: Class, after: Class): Promise<readonly string[]> {
  const found = compareSurfaces(await surfaceOf(before), await surfaceOf(after));
  return found.map(({ level, rule, where }) => `${level} ${rule} ${where}`);
}
