import type { ListedAction, ToolDefinition } from '../../index.ts';
import type { ObjectSchema } from '../../shared/json-schema.ts';

/** All that a server offers, as its clients see it: what a lock file holds, and what a difference compares. */
export interface Surface {
  readonly surfaceHash: string;
  readonly server: SurfaceServer;
  readonly instructions?: string;
  readonly tools: readonly SurfaceTool[];
  readonly prompts: readonly SurfacePrompt[];
  readonly resources: readonly SurfaceResource[];
  readonly resourceTemplates: readonly SurfaceTemplate[];
}

/** How the server introduces itself. */
export interface SurfaceServer {
  readonly name?: string;
  readonly title?: string;
  readonly version?: string;
}

/** What every item of a list has. */
export interface SurfaceItem {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A tool of `tools/list`. In an application of ours, a tool that groups actions says what each of them takes. */
export interface SurfaceTool extends SurfaceItem, Pick<ToolDefinition, 'execution' | 'icons'> {
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: ObjectSchema;
  readonly annotations?: ListedAction['annotations'];
  /** What the groups in it say of themselves, by their paths; the tool itself has the empty path. */
  readonly groups?: Readonly<Record<string, string>>;
  readonly actions?: readonly ListedAction[];
}

export interface SurfacePrompt extends SurfaceItem {
  readonly arguments?: readonly SurfaceArgument[];
}

export interface SurfaceArgument extends SurfaceItem {
  readonly required?: boolean;
}

export interface SurfaceResource extends SurfaceItem {
  readonly uri: string;
  readonly mimeType?: string;
}

export interface SurfaceTemplate extends SurfaceItem {
  readonly uriTemplate: string;
  readonly mimeType?: string;
}

/** The tool as `tools/list` has it. */
export function asListed({ groups: _groups, actions: _actions, ...tool }: SurfaceTool): SurfaceTool {
  return tool;
}
