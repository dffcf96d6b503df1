import type { ServiceParts } from './mcp-service.ts';

/** The parts of a service that a server declares as capabilities. */
export type SurfacePart = keyof ServiceParts;

/** What a server declares for each part (spec: basic/lifecycle, Capability Negotiation). */
export const PART_CAPABILITIES: Readonly<Record<SurfacePart, Readonly<Record<string, boolean>>>> = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
};

/** The parts that a service has, in the order of the table above. */
export function partsOf(service: ServiceParts): readonly SurfacePart[] {
  const parts = Object.keys(PART_CAPABILITIES) as SurfacePart[];
  return parts.filter((part) => service[part] !== undefined);
}

/** The methods of each part. */
export const PART_METHODS: Readonly<Record<SurfacePart, readonly string[]>> = {
  tools: ['tools/list', 'tools/call'],
  prompts: ['prompts/list', 'prompts/get'],
  resources: [
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'resources/subscribe',
    'resources/unsubscribe',
  ],
  completions: ['completion/complete'],
};
