import type { ActionDefinition, CompiledTool } from '../../compile/tools/compiled-tool.ts';
import type { PreparedTool } from '../../compile/tools/prepared-tool.ts';
import { ReachedAction } from '../../compile/surfaces/reached-action.ts';
import { WordIndex } from '../../shared/search/word-index.ts';

/** All actions of an application that are found first, each version of them, also what is hidden from some. */
export class ActionIndex {
  readonly actions: readonly ReachedAction[];
  readonly words: WordIndex;
  readonly #places: ReadonlyMap<string, number>;
  readonly #groups: ReadonlyMap<string, string>;

  /** @param tools with a tool for each action */
  constructor(tools: readonly PreparedTool[]) {
    const all = tools.flatMap((tool) =>
      tool.listed.map((listed) => ({
        root: tool.scanned.name,
        action: new ReachedAction(tool, listed),
        listed,
      })),
    );
    this.actions = all.map(({ action }) => action);
    this.words = new WordIndex(this.actions.map((action) => action.texts()));
    this.#places = new Map(
      all.flatMap(({ root, listed }, place) =>
        listed.actions.map(({ scanned }) => [placeName(root, scanned), place] as const),
      ),
    );
    this.#groups = new Map(
      tools.flatMap(({ scanned: { name, description = '', groups } }) => [
        [name, description] as const,
        ...groups.map((group) => [`${name}.${group.path}`, group.description ?? ''] as const),
      ]),
    );
  }

  /** The place of what a tool of one action calls. */
  findPlace({ name, actions: [action] }: CompiledTool): number | undefined {
    return action && this.#places.get(placeName(name, action));
  }

  /** What the author says of a group. */
  describeGroup(group: string): string {
    return this.#groups.get(group) ?? '';
  }
}

function placeName(root: string, { key, version = '' }: Pick<ActionDefinition, 'key' | 'version'>): string {
  return JSON.stringify([root, key, version]);
}
