import type { Logger } from '../call/logger.ts';
import type { CallToolResult } from '../call/results.ts';
import {
  describeAction,
  type ActionMetadata,
  type CompiledTool,
  type CompiledToolDefinition,
} from '../compile/tools/compiled-tool.ts';
import { compileToolSet, type ToolSet } from '../compile/tools/compile-tool-set.ts';
import { ContractCache } from '../compile/contracts/input-contracts.ts';
import { ownRequiredFields, requiredFields } from '../compile/fields/field-list.ts';
import { ProblemList } from '../errors/problem-list.ts';
import type { ToolAnnotationHints, UnknownFields } from '../metadata/options.ts';
import { unbuildable } from '../runtime/tools/call-failures.ts';
import { loggerOf, type ToolDefaults } from '../registry/registry-options.ts';
import type { CallOptions } from '../runtime/routes/route-options.ts';
import { COMPOSITION } from '../app/features.ts';
import type { InputOf, ToolAction, ToolMiddleware } from '../app/tool-action.ts';
import {
  RegisteredTools,
  TOOL_SET,
  type BuiltTool,
  type RegistrableTool,
} from '../registry/tool-registry.ts';
import { deepCopy } from '../shared/deep-freeze.ts';
import { isThenable } from '../shared/maybe-promise.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import {
  createDraft,
  type ActionDraft,
  type BuilderDraft,
  noInstances,
  scanAction,
  scanDraft,
} from './builder-draft.ts';
import {
  asyncCallback,
  checkName,
  emptyBuilder,
  frozenBuilder,
  missingCallback,
  mixedModes,
} from './builder-errors.ts';
import { checkArgument, checkToolOptions, type GroupedToolBuilderOptions } from './check-options.ts';
import { copySchema, recordAction, recordGroup, recordMiddleware } from './record-action.ts';
import { GroupBuilder, type ToolGroupBuilder } from './tool-group-builder.ts';

/**
 * Builds one tool out of many actions, without decorators.
 *
 * @example
 * const books = createTool('books')
 *   .description('Manage books.')
 *   .action({ name: 'find', input: FindBooks, readOnly: true, handler: (input) => shelf.find(input.text) });
 * await books.execute({ action: 'find', text: 'moon' });
 */
export class GroupedToolBuilder<Context = unknown, Common = unknown> implements RegistrableTool {
  readonly #draft;
  readonly #unknownFields: UnknownFields | undefined;
  readonly #logger: Logger;
  /** Runs what is executed without a registry. */
  #alone: RegisteredTools | undefined;
  readonly #sets = new Map<string, ToolSet>();
  readonly #problems = new ProblemList();
  readonly #contracts = new ContractCache(this.#problems);
  /** Set by the first build, which freezes the builder. */
  #decided: Pick<ToolDefaults, 'unknownFields' | 'limits'> | undefined;

  /** @throws ToolwrightError when the name is empty or contains a dot. */
  constructor(name: string, options: GroupedToolBuilderOptions = {}) {
    checkName('tool', name, `builder ${JSON.stringify(name)}`);
    checkToolOptions(options, `builder "${name}"`);
    const { unknownFields, version, deprecated } = options;
    this.#draft = createDraft(name, { version, deprecated: deepCopy(deprecated) }, options);
    this.#unknownFields = unknownFields;
    this.#logger = loggerOf(options.logger);
  }

  /** The opening text of the tool's description; an empty one counts as none. */
  description(text: string): this {
    const draft = this.#change();
    checkArgument('description', text, `builder "${draft.name}"`);
    draft.description = text === '' ? undefined : text;
    return this;
  }

  /** The name of the argument that says which action to run. Default `action`. */
  discriminator(field: string): this {
    checkName('discriminator', field, `builder "${this.getName()}"`);
    this.#change().discriminator = field;
    return this;
  }

  /** Explicit hints; repeated calls merge key by key, the later wins. They win over the actions' marks. */
  annotations(hints: ToolAnnotationHints): this {
    const draft = this.#change();
    checkArgument('annotations', hints, `builder "${draft.name}"`);
    draft.annotations = { ...draft.annotations, ...deepCopy(hints) };
    return this;
  }

  /** Adds tags that filters select by. */
  tags(...tags: readonly string[]): this {
    const draft = this.#change();
    checkArgument('tags', tags, `builder "${draft.name}"`);
    for (const tag of tags) draft.tags.add(tag);
    return this;
  }

  /** Fields that all actions share; the handlers of actions that are added from here on have them in their input. */
  commonSchema<const Schema extends SchemaSource>(
    schema: Schema,
  ): GroupedToolBuilder<Context, InputOf<Schema>> {
    this.#change().common = copySchema(schema);
    // Only the type changes
    return this as unknown as GroupedToolBuilder<Context, InputOf<Schema>>;
  }

  /** Describes the actions as a TOON table. */
  toonDescription(): this {
    this.#change().describe = 'toon';
    return this;
  }

  /** Adds a middleware around every action, whenever it was added. */
  use(middleware: ToolMiddleware<Context>): this {
    this.#change().middleware.push(recordMiddleware(this.getName(), middleware as ToolMiddleware));
    return this;
  }

  /** Adds an action to a flat tool. @throws ToolwrightError when the tool has groups, or the key twice. */
  action<const Schema extends SchemaSource | undefined = undefined>(
    action: ToolAction<Schema, Context, Common>,
  ): this {
    const draft = this.#change();
    if (draft.groups.size > 0) throw mixedModes(draft.name, 'action');
    recordAction(draft, undefined, action);
    return this;
  }

  /** Adds actions to a group of a hierarchical tool; repeating a name adds to the same group. */
  group(name: string, configure: (group: ToolGroupBuilder<Context, Common>) => unknown): this;
  group(
    name: string,
    description: string,
    configure: (group: ToolGroupBuilder<Context, Common>) => unknown,
  ): this;
  group(name: string, ...rest: readonly unknown[]): this {
    const draft = this.#change();
    if (draft.actions.some((action) => action.group === undefined)) throw mixedModes(draft.name, 'group');
    checkName('group', name, `builder "${draft.name}"`);
    const [description, configure] = typeof rest[0] === 'string' ? rest : [undefined, rest[0]];
    if (typeof configure !== 'function') throw missingCallback(draft.name, name);
    recordGroup(draft, name, description as string | undefined, (group) => {
      const outcome = (configure as (group: ToolGroupBuilder<Context, Common>) => unknown)(
        new GroupBuilder(group, () => this.#change()),
      );
      if (isThenable(outcome)) throw asyncCallback(draft.name, name, outcome);
    });
    return this;
  }

  /** Builds the tool, once; afterwards the builder is frozen. Always the same, deeply frozen object. */
  buildToolDefinition(): CompiledToolDefinition {
    return (this.#build({}).tools[0] as CompiledTool).definition;
  }

  /** Runs one action. It never rejects: every failure is a result. */
  async execute(
    args?: unknown,
    context?: Context,
    { version }: Pick<CallOptions, 'version'> = {},
  ): Promise<CallToolResult> {
    try {
      this.#alone ??= new RegisteredTools({ logger: this.#logger }).add([this.#build({})]);
    } catch (thrown) {
      return unbuildable(this.getName(), thrown);
    }
    return this.#alone.routeCall(this.getName(), args, context, version === undefined ? {} : { version });
  }

  /** The name of the tool. */
  getName(): string {
    return this.#draft.name;
  }

  /** The tags of the tool, each once. */
  getTags(): string[] {
    return [...this.#draft.tags];
  }

  /** The keys of all actions, in registration order, each once. */
  getActionNames(): string[] {
    return [...new Set(this.#draft.actions.map((action) => action.key))];
  }

  /** The metadata of each action, without building the tool or freezing the builder. */
  getActionMetadata(): ActionMetadata[] {
    const { actions, common } = this.#draft;
    const defaults = { unknownFields: 'strict', limits: {} } as const;
    return actions.map((draft) =>
      describeAction(scanAction(this.#draft, draft, defaults), this.#requiredFields(draft, common)),
    );
  }

  [TOOL_SET](defaults: ToolDefaults): BuiltTool {
    return this.#build(defaults);
  }

  /** One set per exposition, compiled when it is first asked for; the first build decides and freezes. */
  #build({ unknownFields, limits, expose = 'grouped', separator = '_' }: ToolDefaults): ToolSet {
    if (this.#draft.actions.length === 0) throw emptyBuilder(this.getName());
    const decided = this.#decided ?? { unknownFields: this.#unknownFields ?? unknownFields, limits };
    const key = expose === 'flat' ? `flat ${separator}` : expose;
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    const scanned = scanDraft(this.#draft, { ...decided, expose, separator });
    const set = compileToolSet(scanned, noInstances, {
      features: COMPOSITION.features,
      stages: COMPOSITION.stages.attempt,
      argumentNodes: decided.limits?.argumentNodes,
    });
    this.#decided = decided;
    this.#sets.set(key, set);
    return set;
  }

  #requiredFields({ key, action }: ActionDraft, common: SchemaSource | undefined): readonly string[] {
    const [shared, own] = [common, action.input].map((source) =>
      source === undefined
        ? undefined
        : this.#contracts.input(source, { unknownFields: 'strict', where: key }).schema,
    );
    this.#problems.throwFirst();
    return ownRequiredFields(shared, requiredFields(own));
  }

  #change(): BuilderDraft {
    if (this.#decided !== undefined) throw frozenBuilder(this.getName());
    return this.#draft;
  }
}

/**
 * Short for `new GroupedToolBuilder(name, options)`.
 *
 * @example
 * createTool('clock').action({ name: 'now', readOnly: true, handler: () => new Date().toISOString() });
 */
export function createTool<Context = unknown>(
  name: string,
  options: GroupedToolBuilderOptions = {},
): GroupedToolBuilder<Context> {
  return new GroupedToolBuilder<Context>(name, options);
}
