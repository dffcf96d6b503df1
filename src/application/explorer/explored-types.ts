import type { Deprecation } from '../../call/action-options.ts';
import type { AuthInfo } from '../../call/request-context.ts';
import type { CallToolResult } from '../../call/results.ts';
import type { ClientClaim } from '../../compile/surfaces/surface.ts';
import type { ServerInfo } from '../../engine/server-info.ts';

/** Any JSON object: schemas, arguments, list entries. */
export type JsonObject = Readonly<Record<string, unknown>>;

export interface ExploredTool {
  readonly name: string;
  /** The entry of `tools/list`, exactly. */
  readonly definition: JsonObject;
  /** Undefined where the tool is one action by itself. */
  readonly discriminator?: string;
  /** Descriptions by the dotted path of their group. The tool itself has the empty path. */
  readonly groups: Readonly<Record<string, string>>;
  readonly actions: readonly ExploredAction[];
}

export interface ExploredAction {
  /** `users.create`: the path of its groups in the tool, then its name. */
  readonly key: string;
  /** What a call has to have besides the input: `{ action: 'users.create' }`, or nothing. */
  readonly fixedArguments: JsonObject;
  readonly title?: string;
  readonly description?: string;
  /** The schema has neither the discriminator nor fields of other actions. */
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  readonly isIdempotent: boolean;
  readonly isOpenWorld: boolean;
  /** Whether it can, or has to, be called as a task. */
  readonly task?: 'optional' | 'required' | 'on-demand';
  readonly version?: string;
  readonly deprecated?: Deprecation;
  readonly tags: readonly string[];
  /** How a person agrees to a call; undefined where nobody is asked. */
  readonly confirm?: string;
  readonly inside: ExploredInside;
}

/** A prompt, a resource or a template. */
export interface ExploredOffer {
  /** The name of a prompt, the URI of a resource, the URI template of a template. */
  readonly id: string;
  /** The list entry, exactly. */
  readonly definition: JsonObject;
  /** Names of the arguments or variables whose values are completed. */
  readonly completes: readonly string[];
  readonly inside: ExploredInside;
}

/** What a client does not see. */
export interface ExploredInside {
  /** `TasksController.create`; undefined for what a builder made. */
  readonly handler?: string;
  /** The list begins with the outermost middleware. */
  readonly middleware: readonly string[];
  readonly checks: readonly ExploredCheck[];
  /** What a caller has to have, in words. */
  readonly requires: readonly string[];
  /** The names of the policies that decide about each single call. */
  readonly policies: readonly string[];
  /** What holds calls back or ends them, in words: `at most 10 calls a minute for each caller`. */
  readonly limits: readonly string[];
  /** Paths of fields marked `@Sensitive`: `card.number`, `people[].secret`. The page masks them in what it keeps. */
  readonly sensitive: readonly string[];
  /** Paths of fields marked `@Sensitive` in what an action declares as its output. */
  readonly sensitiveOutput: readonly string[];
}

export interface ExploredCheck {
  /** `class-stack` is class-transformer and class-validator; the first two are code. */
  readonly path: 'generated' | 'closures' | 'class-stack' | 'schema';
  /** The DTO class. Undefined for `schema`: a JSON Schema or a Standard Schema checks. */
  readonly dto?: string;
  readonly reason: string;
  readonly rules: readonly {
    readonly property: string;
    readonly rule: string;
    readonly how: 'inline' | 'called';
    readonly why?: string;
  }[];
}

export interface DependencyGraph {
  readonly nodes: readonly DependencyNode[];
  /** An edge leads from the id of a node to the id of a node that it needs. */
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

export interface DependencyNode {
  readonly id: string;
  /** The name of the class or token. */
  readonly name: string;
  readonly kind: 'controller' | 'provider' | 'middleware' | 'policy' | 'other';
  readonly scope: 'singleton' | 'request' | 'transient' | 'value';
}

/** What the explorer knows of the application that answers now. */
export interface Explored {
  readonly info: ServerInfo;
  readonly surfaceHash: string;
  /** Whether what is offered depends on who calls. */
  readonly asksCallers: boolean;
  /** Lists every scope that the application requires somewhere. */
  readonly scopes: readonly string[];
  readonly roles: readonly string[];
  /** Where people sign in; undefined where the application does not sign them in itself. */
  readonly issuer: string | undefined;
  readonly graph: DependencyGraph;
  /** What a module provides for the explorer; undefined where none does. */
  provided(token: symbol): unknown;
  offersTo(caller: AuthInfo | undefined): Promise<ExploredOffers>;
  /** The paths of fields marked `@Sensitive` in what the actions of a tool declare as their output. */
  sensitiveOutputOf(tool: string | undefined): readonly string[];
  /** What clients are listed of it; undefined for a surface or client that is not there. */
  previewSurface(query: SurfaceQuery, caller: AuthInfo | undefined): Promise<SurfacePreview | undefined>;
  /** The id of the client that says this of itself; `generic` where it is not known. */
  recognizeClient(claim: ClientClaim): Promise<string>;
  /** What a call would be refused with; a result without content where nothing is wrong. Nothing is called. */
  check(tool: string, args: JsonObject, caller: AuthInfo | undefined): Promise<CallToolResult>;
}

export interface ExploredOffers {
  readonly tools: readonly ExploredTool[];
  readonly prompts: readonly ExploredOffer[];
  readonly resources: readonly ExploredOffer[];
  readonly templates: readonly ExploredOffer[];
}

/** Whose list is wanted: that of a surface, or of a client by its id. Default: that of a client that is not known. */
export interface SurfaceQuery {
  readonly surface?: string;
  readonly client?: string;
}

/** What one client, or all clients of one surface, are listed. */
export interface SurfacePreview {
  /** `grouped-by-risk/signatures`. */
  readonly surface: string;
  /** Who gets it and why, as a sentence. */
  readonly why: string;
  /** The entries are those that `tools/list` sends. */
  readonly tools: readonly JsonObject[];
  /** Lists the tools that belong to no group, which `tools/list` sends after the others. */
  readonly beside: readonly JsonObject[];
  /** Whether tools are there that the caller would not be listed: no client gets this surface. */
  readonly ignoresCaller: boolean;
  /** Undefined for a surface alone: results depend on the client. */
  readonly results?: PreviewedResults;
  /** All surfaces and clients that can be asked for. */
  readonly surfaces: readonly string[];
  readonly clients: readonly { readonly id: string; readonly title: string }[];
}

/** The form in which a client gets results. */
export interface PreviewedResults {
  /** False for a client that is not known: a budget that the application declares counts in place of `tokens`. */
  readonly isKnown: boolean;
  /** `structure` has one line of text with it, where an action declares an output. */
  readonly form: 'both' | 'structure' | 'text';
  /** What its model reads of a result with both. */
  readonly reads: 'text' | 'structure' | 'both';
  /** The most that a result has; undefined where there is no limit. */
  readonly tokens?: number;
  readonly characters?: number;
  /** The most that an error has. */
  readonly errorCharacters?: number;
  /** Kinds of content that never reach its model: `image`. */
  readonly dropped: readonly string[];
}
