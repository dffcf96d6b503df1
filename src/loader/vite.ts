import { fileURLToPath } from 'node:url';
import { isInPackages } from './find-source.ts';
import { loadTransform, withHelpers, type Transform } from './transform.ts';

/** The part of a plugin of Vite, Vitest or Rollup that is used here. */
export interface DecoratorPlugin {
  /** The name of the plugin, for messages of Vite. */
  readonly name: string;
  /** Runs before the compiler of Vite, which would drop the types of parameters. */
  readonly enforce: 'pre';
  /** The JavaScript of a decorated TypeScript file; undefined leaves the file to others. */
  transform(code: string, id: string): Promise<{ code: string; map: object } | undefined>;
}

/**
 * A plugin for Vite and Vitest: compiles decorated TypeScript with the types of parameters and properties, whatever
 * tsconfig.json says. Other files are left to Vite.
 *
 * @example
 * // vitest.config.ts
 * import { toolwright } from 'toolwright/vite';
 *
 * export default { plugins: [toolwright()] };
 */
export function toolwright(): DecoratorPlugin {
  let loading: Promise<Transform> | undefined;
  const helpers = fileURLToPath(
    new URL('./decorator-helpers.js', import.meta.resolve('toolwright/register')),
  );
  return {
    name: 'toolwright',
    enforce: 'pre',
    transform: async (code, id) => {
      const [file = id] = id.split('?');
      if (!/\.m?ts$/.test(file) || !code.includes('@') || isInPackages(file)) return undefined;
      const transform = await (loading ??= loadTransform());
      const transformed = transform(file, code);
      if (!transformed.isDecorated) return undefined;
      return { code: withHelpers(transformed, helpers), map: transformed.map };
    },
  };
}
