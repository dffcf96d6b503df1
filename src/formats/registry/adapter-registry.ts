import { refuseOptions } from '../../errors/option-errors.ts';
import { a2aAdapter } from '../adapters/a2a/a2a-adapter.ts';
import { anthropicAdapter } from '../adapters/anthropic.ts';
import {
  TARGET_RULES,
  type Converted,
  type FormatAdapter,
  type TargetOptions,
} from '../adapters/format-adapter.ts';
import { geminiAdapter } from '../adapters/gemini.ts';
import { mcpAdapter } from '../adapters/mcp.ts';
import { openaiAdapter, openaiResponsesAdapter } from '../adapters/openai.ts';
import type { CanonicalTool } from '../canonical/canonical-tool.ts';
import {
  AdapterNotFoundError,
  ConversionError,
  DuplicateAdapterError,
  RegistryFrozenError,
  type ConversionDirection,
} from '../errors.ts';
import { convertSet, type ConvertedSet } from './convert-set.ts';

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
   * @throws AdapterNotFoundError when there is no adapter of that name
   * @throws RegistryFrozenError after `freeze()`
   */
  unregister(name: string): void {
    this.#refuseWhenFrozen(name);
    this.get(name);
    this.#adapters.delete(name);
  }

  /** @throws AdapterNotFoundError when there is no adapter of that name */
  get(name: string): FormatAdapter {
    const adapter = this.#adapters.get(name);
    if (adapter === undefined) throw new AdapterNotFoundError(name, this.list());
    return adapter;
  }

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
   * Converts tools that one provider gets together: no two of them have the same name afterwards.
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

/** What an adapter throws as a `ConversionError`; one that is such an error already stays as it is. */
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
