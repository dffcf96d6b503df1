import type { UnknownFields } from '../metadata/options.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import type { BuilderDraft, GroupDraft, ToolAction, ToolMiddleware } from './builder-draft.ts';
import { checkArgument } from './check-options.ts';
import { recordAction, recordMiddleware } from './record-action.ts';

/** What the callback of `group()` gets: it adds to one group of a hierarchical tool. */
export interface ToolGroupBuilder<Context = unknown, Common = unknown> {
  /** Adds a middleware around every action of this group, whenever it was added. */
  use(middleware: ToolMiddleware<Context>): this;

  /** Adds an action to this group. @throws ToolwrightError for a definition that cannot work, or a key twice */
  action<const Schema extends SchemaSource | undefined = undefined>(
    action: ToolAction<Schema, Context, Common>,
  ): this;

  /** What happens to fields that no action of this group declares. Default: the builder's option. */
  unknownFields(mode: UnknownFields): this;

  /**
   * The time limit in milliseconds for this group's actions without their own limit, like `@Timeout` on a class.
   * Default: that of the registry or application; `Infinity` lifts that limit.
   *
   * @throws ToolwrightError for what is not a number of milliseconds above 0
   * @example
   * createTool('archive').group('search', (group) => group.timeout(5_000).action({ name: 'titles', handler: () => [] }));
   */
  timeout(milliseconds: number): this;
}

export class GroupBuilder<Context, Common> implements ToolGroupBuilder<Context, Common> {
  readonly #group: GroupDraft;
  readonly #change: () => BuilderDraft;

  constructor(group: GroupDraft, change: () => BuilderDraft) {
    this.#group = group;
    this.#change = change;
  }

  use(middleware: ToolMiddleware<Context>): this {
    const { name } = this.#change();
    this.#group.middleware.push(recordMiddleware(name, middleware as ToolMiddleware));
    return this;
  }

  action<const Schema extends SchemaSource | undefined = undefined>(
    action: ToolAction<Schema, Context, Common>,
  ): this {
    recordAction(this.#change(), this.#group, action);
    return this;
  }

  unknownFields(mode: UnknownFields): this {
    const { name } = this.#change();
    checkArgument('unknownFields', mode, `group "${this.#group.name}" of builder "${name}"`);
    this.#group.unknownFields = mode;
    return this;
  }

  timeout(milliseconds: number): this {
    const { name } = this.#change();
    checkArgument('timeout', milliseconds, `group "${this.#group.name}" of builder "${name}"`);
    this.#group.timeout = milliseconds;
    return this;
  }
}
