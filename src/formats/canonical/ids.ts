import type { CanonicalTool } from './canonical-tool.ts';

/** The id of a tool: `name`, `namespace:name` or `namespace:name:version`. */
export function toolId({
  namespace,
  name,
  version,
}: Pick<CanonicalTool, 'namespace' | 'name' | 'version'>): string {
  if (namespace === undefined || namespace === '') return name;
  return version === undefined || version === '' ? `${namespace}:${name}` : `${namespace}:${name}:${version}`;
}
