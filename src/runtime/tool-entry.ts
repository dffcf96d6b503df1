import type { CompiledTool } from '../compile/tools/compiled-tool.ts';
import type { ToolSet } from '../compile/tools/compile-tool-set.ts';
import type { ToolFilter } from '../compile/tools/tool-filter.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { didYouMean } from '../shared/did-you-mean.ts';

/** A registered tool, and what of it is switched off. Immutable; a change makes a new entry. */
export class ToolEntry {
  readonly set: ToolSet;
  readonly #disabled: ReadonlySet<string>;

  constructor(set: ToolSet, disabled: ReadonlySet<string> = new Set()) {
    this.set = set;
    this.#disabled = disabled;
  }

  get name(): string {
    return this.set.name;
  }

  /** The names under which it is listed when nothing is filtered or switched off. */
  get listedNames(): readonly string[] {
    return this.set.tools.map((tool) => tool.definition.name);
  }

  /** What filters leave of what is on. */
  select(filters: readonly ToolFilter[]): readonly CompiledTool[] {
    return this.set.select(filters, this.#disabled);
  }

  /** The entry with actions switched off; without actions, with all of them off. */
  disable(actions: readonly string[]): ToolEntry {
    return new ToolEntry(this.set, new Set([...this.#disabled, ...this.#known(actions)]));
  }

  enable(actions: readonly string[]): ToolEntry {
    const enabled = new Set(this.#known(actions));
    return new ToolEntry(this.set, new Set([...this.#disabled].filter((key) => !enabled.has(key))));
  }

  #known(actions: readonly string[]): readonly string[] {
    // With flat exposition the versions of an action are tools of one key
    const keys = [...new Set(this.set.tools.flatMap((tool) => tool.actions.map((action) => action.key)))];
    if (actions.length === 0) return keys;
    const unknown = actions.find((key) => !keys.includes(key));
    if (unknown !== undefined) throw unknownAction(this.name, unknown, keys);
    return actions;
  }
}

function unknownAction(tool: string, key: string, keys: readonly string[]): ToolwrightError {
  return new ToolwrightError('TW_REGISTRY_ACTION_UNKNOWN', {
    where: `tool "${tool}"`,
    what: `has no action "${key}".`,
    fix: didYouMean(key, keys) ?? `use one of ${keys.join(', ')}`,
  });
}
