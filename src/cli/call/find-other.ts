import type { McpClient } from '../../client/mcp-client.ts';
import type { Surface } from '../surface/surface.ts';

type Primitives = Pick<Surface, 'prompts' | 'resources' | 'resourceTemplates'>;

/** What a name means that is not that of a tool. */
export type FoundOther =
  | { readonly kind: 'prompt'; readonly name: string }
  | { readonly kind: 'resource'; readonly uri: string }
  /** A template is read by a URI that has values in place of its variables. */
  | { readonly kind: 'template'; readonly uriTemplate: string };

/** The prompts and resources of a server, looked at where no tool has a name. */
export async function listPrimitives(client: McpClient, signal: AbortSignal): Promise<Primitives> {
  const { capabilities } = client.server;
  const options = { signal };
  const hasResources = 'resources' in capabilities;
  return {
    prompts: 'prompts' in capabilities ? ((await client.listPrompts(options)) as Primitives['prompts']) : [],
    resources: hasResources ? ((await client.listResources(options)) as Primitives['resources']) : [],
    resourceTemplates: hasResources
      ? ((await client.listResourceTemplates(options)) as Primitives['resourceTemplates'])
      : [],
  };
}

/** A prompt comes before a resource, as it does in the lists of the command line. */
export function findOther(name: string, primitives: Primitives): FoundOther | undefined {
  const { prompts, resources, resourceTemplates } = primitives;
  if (prompts.some((prompt) => prompt.name === name)) return { kind: 'prompt', name };
  const resource = resources.find((each) => each.name === name);
  if (resource !== undefined) return { kind: 'resource', uri: resource.uri };
  const template = resourceTemplates.find((each) => each.name === name);
  return template && { kind: 'template', uriTemplate: template.uriTemplate };
}

/** The names that {@link findOther} knows. */
export function namesOfPrimitives({ prompts, resources, resourceTemplates }: Primitives): readonly string[] {
  return [...prompts, ...resources, ...resourceTemplates].map(({ name }) => name);
}
