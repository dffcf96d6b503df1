import type { RequiresOptions } from '../call/requirements.ts';
import type { CallLimits } from '../app/limit-options.ts';
import { copyOptions } from '../metadata/copy-options.ts';
import type { UnknownFields } from '../metadata/options.ts';
import { readRequires } from '../scanner/requirements/read-requirement.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import type { ToolAction, ToolMiddleware } from '../app/tool-action.ts';
import type { BuilderDraft, GroupDraft } from './builder-draft.ts';
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

  /**
   * What callers of this group's actions have to be, like `@Scopes`, `@Roles` and `@Policy` on a class. It adds to what
   * the tool requires; an action with `requires: { public: true }` lifts both. Default: nothing.
   *
   * @throws ToolwrightError for a requirement that cannot work
   * @example
   * createTool('archive').group('admin', (group) =>
   *   group.requires({ roles: ['admin'] }).action({ name: 'purge', handler: () => 'purged' }));
   */
  requires(requires: RequiresOptions): this;

  /**
   * Limits of this group's actions together, like `@RateLimit`, `@Quota` and `@Concurrency` on a class. Default: none.
   *
   * @throws ToolwrightError for a limit that cannot work
   * @example
   * createTool('archive').group('search', (group) =>
   *   group.limits({ rate: { limit: 60, per: 'minute' } }).action({ name: 'titles', handler: () => [] }));
   */
  limits(limits: CallLimits): this;
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
    this.#check('unknownFields', mode);
    this.#group.unknownFields = mode;
    return this;
  }

  timeout(milliseconds: number): this {
    this.#check('timeout', milliseconds);
    this.#group.own = { ...this.#group.own, timeout: milliseconds };
    return this;
  }

  requires(requires: RequiresOptions): this {
    this.#check('requires', requires);
    this.#group.requirements = readRequires(requires);
    return this;
  }

  limits(limits: CallLimits): this {
    this.#check('limits', limits);
    this.#group.said = copyOptions(limits);
    return this;
  }

  #check(method: Parameters<typeof checkArgument>[0], argument: unknown): void {
    const { name } = this.#change();
    checkArgument(method, argument, `group "${this.#group.name}" of builder "${name}"`);
  }
}
