import { refuseOptions } from '../errors/option-errors.ts';
import { a2aAdapter } from './adapters/a2a/a2a-adapter.ts';
import { anthropicAdapter } from './adapters/anthropic.ts';
import {
  TARGET_RULES,
  type Converted,
  type FormatAdapter,
  type TargetOptions,
} from './adapters/format-adapter.ts';
import { geminiAdapter } from './adapters/gemini.ts';
import { mcpAdapter } from './adapters/mcp.ts';
import { openaiAdapter, openaiResponsesAdapter } from './adapters/openai.ts';
import { type CanonicalTool, toolId } from './canonical/canonical-tool.ts';
import {
  AdapterNotFoundError,
  ConversionError,
  DuplicateAdapterError,
  RegistryFrozenError,
  type ConversionDirection,
  Conversion,
} from './errors.ts';
import { admitted } from './adapters/writing.ts';
import type { FeatureLossWarning } from './losses.ts';
import { createNameMap, groupBy, type NameEntry, type NameMap } from './names.ts';

/**
 * The formats that tools can be converted between.
 *
 * @example
 * const registry = createRegistry();
 * registry.register(mcpAdapter);
 * registry.register(openaiAdapter);
 * registry.freeze();
 * const { warnings } = registry.convert({ name: 'ping', inputSchema: { type: 'object' } }, 'mcp', 'openai');
 */
export class AdapterRegistry {
  readonly #adapters = new Map<string, FormatAdapter>();
  #isFrozen = false;

  /**
   * @throws DuplicateAdapterError when the name is taken
   * @throws RegistryFrozenError after `freeze()`
   */
  register(adapter: FormatAdapter): void {
    this.#refuseWhenFrozen(adapter.name);
    if (this.#adapters.has(adapter.name)) throw new DuplicateAdapterError(adapter.name);
    this.#adapters.set(adapter.name, adapter);
  }

  /**
   * @throws AdapterNotFoundError when no adapter has the name
   * @throws RegistryFrozenError after `freeze()`
   */
  unregister(name: string): void {
    this.#refuseWhenFrozen(name);
    this.get(name);
    this.#adapters.delete(name);
  }

  /** @throws AdapterNotFoundError when no adapter has the name */
  get(name: string): FormatAdapter {
    const adapter = this.#adapters.get(name);
    if (adapter === undefined) throw new AdapterNotFoundError(name, this.list());
    return adapter;
  }

  /** Whether an adapter of this name is registered. */
  has(name: string): boolean {
    return this.#adapters.has(name);
  }

  /** The names of the adapters, sorted. */
  list(): string[] {
    return [...this.#adapters.keys()].sort();
  }

  /** Ends all changes. */
  freeze(): this {
    this.#isFrozen = true;
    return this;
  }

  /** Whether the registry refuses further adapters. */
  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  /**
   * Converts one tool.
   * @throws ToolwrightError `INVALID_OPTION`
   * @throws AdapterNotFoundError for a format that is not registered
   * @throws ConversionError for a tool that cannot be read or written
   */
  convert(raw: unknown, from: string, to: string, options: TargetOptions = {}): Converted {
    refuseOptions('INVALID_OPTION', 'convert()', options, TARGET_RULES);
    const source = this.get(from);
    const target = this.get(to);
    const tool = guarded(source.name, 'toCanonical', () => source.toCanonical(raw));
    return guarded(target.name, 'fromCanonical', () => target.fromCanonical(tool, options));
  }

  /**
   * Converts a set of tools for one provider: no two of them have the same name afterwards.
   * @throws ToolwrightError `INVALID_OPTION`
   * @throws AdapterNotFoundError for a format that is not registered
   * @throws ConversionError for a tool that cannot be read or written, and for ids or names that stay the same
   */
  convertMany(raws: readonly unknown[], from: string, to: string, options: TargetOptions = {}): ConvertedSet {
    refuseOptions('INVALID_OPTION', 'convertMany()', options, TARGET_RULES);
    const source = this.get(from);
    const target = this.get(to);
    const tools = raws.map((raw) => guarded(source.name, 'toCanonical', () => source.toCanonical(raw)));
    const write = (tool: CanonicalTool, each: TargetOptions): Converted =>
      guarded(target.name, 'fromCanonical', () => target.fromCanonical(tool, each));
    return convertSet(tools, target.name, write, options);
  }

  #refuseWhenFrozen(name: string): void {
    if (this.#isFrozen) throw new RegistryFrozenError(name);
  }
}

/** Wraps errors of an adapter in a `ConversionError`; a `ConversionError` is rethrown unchanged. */
function guarded<Result>(adapter: string, direction: ConversionDirection, convert: () => Result): Result {
  try {
    return convert();
  } catch (error) {
    if (error instanceof ConversionError) throw error;
    throw new ConversionError('INVALID_INPUT', { adapter, direction, path: '', cause: error });
  }
}

const ADAPTERS = [
  mcpAdapter,
  openaiAdapter,
  openaiResponsesAdapter,
  anthropicAdapter,
  geminiAdapter,
  a2aAdapter,
] as const;

const registry = new AdapterRegistry();
for (const adapter of ADAPTERS) registry.register(adapter);
registry.freeze();

/**
 * The registry with the adapters of this package, which cannot be changed.
 *
 * @example
 * const ping = { name: 'ping', inputSchema: { type: 'object' } };
 * const { warnings, names } = defaultRegistry().convert(ping, 'mcp', 'openai', { strict: true });
 */
export function defaultRegistry(): AdapterRegistry {
  return registry;
}

/**
 * A registry without any adapter.
 *
 * @example
 * const registry = createRegistry();
 * registry.register(mcpAdapter);
 */
export function createRegistry(): AdapterRegistry {
  return new AdapterRegistry();
}

/** A warning about one tool of a set. */
export interface SetWarning extends FeatureLossWarning {
  /** The id of the tool that loses something. */
  readonly toolId: string;
}

/** The tools of a set in the form of a target, in the order of the set. */
export interface ConvertedSet {
  /** The tools in the form of the target, in order. */
  readonly tools: readonly unknown[];
  /** Tool after tool, in the order of the set. */
  readonly warnings: readonly SetWarning[];
  /** The names of all tools. */
  readonly names: NameMap;
}

interface Member {
  readonly id: string;
  readonly tool: CanonicalTool;
  readonly converted: Converted;
}

/** Writes the tools of a set; those that would have the same name get a hash of their id. */
function convertSet(
  tools: readonly CanonicalTool[],
  adapter: string,
  write: (tool: CanonicalTool, options: TargetOptions) => Converted,
  options: TargetOptions,
): ConvertedSet {
  const conversion = new Conversion(adapter, 'fromCanonical');
  refuse(tools.map(toolId), conversion, 'DUPLICATE_TOOL', 'is the id of more than one tool');
  // All warnings are needed to see which names were changed; they are filtered afterwards
  const plain: TargetOptions = { ...options, onLoss: 'warn', ignore: [] };
  const members = tools.map((tool) => ({ id: toolId(tool), tool, converted: write(tool, plain) }));
  const groups = groupBy(members, nameOf);
  const settled = members.map((member) => {
    const rivals = groups.get(nameOf(member)) ?? [];
    if (rivals.length < 2 || keeperOf(rivals) === member) return member;
    return { ...member, converted: write(member.tool, { ...plain, hashName: true }) };
  });
  refuse(settled.map(nameOf), conversion, 'NAME_COLLISION', 'is the name of more than one tool');
  return Object.freeze({
    tools: Object.freeze(settled.map(({ converted }) => converted.tool)),
    warnings: Object.freeze(settled.flatMap((member) => warningsOf(member, options, conversion))),
    names: createNameMap(settled.map(entryOf)),
  });
}

function nameOf({ id, converted }: Member): string {
  return converted.names.toProvider(id) ?? id;
}

/** The only rival with an unchanged name. */
function keeperOf(rivals: readonly Member[]): Member | undefined {
  const unchanged = rivals.filter(
    ({ converted }) => !converted.warnings.some(({ feature }) => feature === 'name'),
  );
  return unchanged.length === 1 ? unchanged[0] : undefined;
}

function refuse(
  names: readonly string[],
  conversion: Conversion,
  code: 'DUPLICATE_TOOL' | 'NAME_COLLISION',
  what: string,
): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) conversion.fail(code, '/name', `"${name}" ${what}.`);
    seen.add(name);
  }
}

function warningsOf(
  { id, converted }: Member,
  options: TargetOptions,
  conversion: Conversion,
): readonly SetWarning[] {
  return admitted(converted.warnings, options, conversion).map((each) =>
    Object.freeze({ ...each, toolId: id }),
  );
}

function entryOf(member: Member): NameEntry {
  const { id, converted } = member;
  const providerName = nameOf(member);
  return { toolId: id, providerName, decode: (args) => converted.names.decodeArguments(providerName, args) };
}
