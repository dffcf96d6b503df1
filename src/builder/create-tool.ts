import type { GroupedToolBuilderOptions } from './check-options.ts';
import { GroupedToolBuilder } from './grouped-tool-builder.ts';

/**
 * Short for `new GroupedToolBuilder(name, options)`.
 *
 * @example
 * createTool('clock').action({ name: 'now', readOnly: true, handler: () => new Date().toISOString() });
 */
export function createTool<Context = unknown>(
  name: string,
  options: GroupedToolBuilderOptions = {},
): GroupedToolBuilder<Context> {
  return new GroupedToolBuilder<Context>(name, options);
}
