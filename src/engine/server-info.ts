import type { IconOptions } from '../metadata/options.ts';
import type { ToolDefinition } from '../compile/tools/compiled-tool.ts';
import { declareExtensions } from '../runtime/feature-states.ts';
import { PART_CAPABILITIES, type PartName } from '../runtime/routes/service-parts.ts';
import { EncodedResult } from '../kernel/call/outcome.ts';
import type { McpService } from '../runtime/service.ts';
import { TASK_CAPABILITIES } from '../runtime/tasks/task-port.ts';
import { headerParametersOf, type HeaderParameter } from '../schema/header-parameters.ts';
import { REVISIONS_2026 } from '../shared/protocol.ts';
import type { Members } from './json-rpc/message.ts';
import type { Revision } from './revision.ts';

/** How the server introduces itself (spec: basic/lifecycle, Initialization). */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  /** Undefined where they are a summary of the tools; false for none. */
  readonly instructions?: string | false;
  readonly icons?: readonly IconOptions[];
}

/** The introduction as the protocol writes it. */
interface ServerImplementation {
  name: string;
  version: string;
  title?: string;
  icons?: (Omit<IconOptions, 'sizes'> & { sizes?: string[] })[];
}

export function implementationOf({ name, version, title, icons }: ServerInfo): ServerImplementation {
  return {
    name,
    version,
    ...(title === undefined ? {} : { title }),
    ...(icons === undefined
      ? {}
      : { icons: icons.map(({ sizes, ...icon }) => ({ ...icon, ...copy(sizes) })) }),
  };
}

function copy(sizes: readonly string[] | undefined): { sizes?: string[] } {
  return sizes === undefined ? {} : { sizes: [...sizes] };
}

/** Describes the server to clients of 2026-07-28 (spec 2026-07-28: server/discover). */
export class Discovery {
  readonly #authored: string | undefined;
  readonly #parts: ReadonlySet<PartName>;
  readonly #settings: McpService['settings'];
  readonly #revision: Required<Pick<Revision, 'encode'>>;
  readonly #replies = new Map<string, EncodedResult>();

  constructor(
    { instructions }: ServerInfo,
    parts: ReadonlySet<PartName>,
    settings: McpService['settings'],
    revision: Required<Pick<Revision, 'encode'>>,
  ) {
    this.#authored = instructions === false ? undefined : instructions;
    this.#parts = parts;
    this.#settings = settings;
    this.#revision = revision;
  }

  /** @param instructions for the caller */
  reply(canLog: boolean, hasTasks: boolean, instructions: string | undefined): EncodedResult {
    const key = `${String(canLog)} ${String(hasTasks)}`;
    const isForAll = instructions === this.#authored;
    const known = isForAll ? this.#replies.get(key) : undefined;
    if (known !== undefined) return known;
    const result = {
      supportedVersions: REVISIONS_2026,
      capabilities: {
        ...(canLog ? { logging: {} } : {}),
        ...declareExtensions(this.#settings, hasTasks ? TASK_CAPABILITIES['2026'].extensions : {}),
        ...Object.fromEntries([...this.#parts].map((part) => [part, PART_CAPABILITIES[part]])),
      },
      ...(instructions === undefined ? {} : { instructions }),
      ttlMs: 0,
      cacheScope: 'private',
    };
    const reply = new EncodedResult(this.#revision.encode('server/discover', result));
    if (isForAll) this.#replies.set(key, reply);
    return reply;
  }
}

/** What the tools of a list need beside the tools. */
export interface ToolNeeds {
  /** The arguments that are repeated as headers, by tool; most have none. */
  readonly headers: ReadonlyMap<unknown, readonly HeaderParameter[]>;
  /** Calls of some become tasks. */
  readonly hasTasks: boolean;
}

export function needsOf(list: readonly ToolDefinition[]): ToolNeeds {
  const headers = new Map<unknown, readonly HeaderParameter[]>();
  for (const { name, inputSchema } of list) {
    const { parameters, faults } = headerParametersOf(inputSchema);
    // Clients leave out a tool with a wrong declaration.
    if (faults.length === 0 && parameters.length > 0) headers.set(name, parameters);
  }
  return {
    headers,
    hasTasks: list.some(({ execution }) => execution !== undefined),
  };
}

/** A list of tools: how they become tasks is agreed on in another way since this revision. */
export function withoutTasks(result: Members): Members {
  const tools = result['tools'] as readonly Members[];
  if (tools.every((tool) => !('execution' in tool))) return result;
  const told = tools.map(({ execution: _execution, ...tool }) => tool);
  return { ...result, tools: told };
}
