import type { ListedAction, ToolDefinition } from '../../index.ts';
import type { ObjectSchema } from '../../shared/json-schema.ts';

/** All that a server offers, as its clients see it: what a lock file holds, and what a difference compares. */
export interface Surface extends Partial<SurfacesByClient> {
  readonly surfaceHash: string;
  readonly server: SurfaceServer;
  readonly instructions?: string;
  readonly tools: readonly SurfaceTool[];
  readonly prompts: readonly SurfacePrompt[];
  readonly resources: readonly SurfaceResource[];
  readonly resourceTemplates: readonly SurfaceTemplate[];
}

/** What known clients get who choose nothing. It is written down in short: the tree of actions is in the tools. */
export interface SurfacesByClient {
  /** All but that of clients that are not known, by their names. */
  readonly surfaces: Readonly<Record<string, LockedSurface>>;
  /** The month in which what is known of clients was gathered. */
  readonly profiles: string;
  /** Left out where the names of all surfaces go on to work. */
  readonly foreignNames?: false;
}

export interface LockedSurface {
  /** The ids of the clients that get it. */
  readonly clients: readonly string[];
  readonly hash: string;
  /** Of the whole list. */
  readonly tokens: number;
  readonly names: readonly string[];
  /** Tools that belong to no group, with the ids of the clients that get them as well; `*` for all. Left out where there are none. */
  readonly beside?: Readonly<Record<string, readonly string[]>>;
  /** The list itself, where it was asked for. */
  readonly tools?: readonly SurfaceTool[];
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
