import type { McpService } from '../mcp-service.ts';

/** The parts of a service that a server declares as capabilities. */
export type SurfacePart = Exclude<keyof McpService, 'settings'>;

/** What a server declares for each part (spec: basic/lifecycle, Capability Negotiation). */
export const PART_CAPABILITIES: Readonly<Record<SurfacePart, Readonly<Record<string, boolean>>>> = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
};

/** The parts that a service has, in the order of the table above. */
export function partsOf(service: McpService): readonly SurfacePart[] {
  const parts = Object.keys(PART_CAPABILITIES) as SurfacePart[];
  return parts.filter((part) => service[part] !== undefined);
}
