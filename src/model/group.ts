import type { ObjectSchema } from '../shared/json-schema.ts';
import { BaseModel, SEAL } from './base-model.ts';
import { GroupNode, MemberList } from './group-node.ts';
import type { Annotations, ToolAnnotations } from './values.ts';

// One file, because groups and their items name each other's types.

let parentsOf: (item: GroupItem) => MemberList<Group, GroupItem>;

/** What sits in groups, in any number of them. Linking from either side leaves the same state. */
export abstract class GroupItem extends BaseModel {
  readonly #parents = new MemberList<Group, GroupItem>(this, 'parentGroups');

  static {
    parentsOf = (item) => item.#parents;
  }

  /** Subclasses call it. It refuses an empty name with `TW_MODEL_NAME`. */
  constructor(name: string) {
    super(name, BaseModel.DEFAULT_SEPARATOR);
  }

  /** A frozen snapshot, in the order of joining. */
  get parentGroups(): readonly Group[] {
    return this.#parents.items;
  }

  /** Joins a group; false when it was there already. Throws `TW_MODEL_SEALED` when either is compiled. */
  abstract addParentGroup(group: Group): boolean;

  /** Leaves a group; false when it was not there. Throws `TW_MODEL_SEALED` when either is compiled. */
  abstract removeParentGroup(group: Group): boolean;

  /** The root above each parent group: one entry per parent, in their order. */
  getParentGroupRoots(): readonly Group[] {
    return this.parentGroups.map((group) => group.getRoot());
  }

  /** The plain name: with several parents, no single path exists. */
  override getFullyQualifiedName(): string {
    return this.name;
  }

  /** @internal */
  override [SEAL](): readonly BaseModel[] {
    this.#parents.seal();
    return super[SEAL]();
  }
}

/**
 * A tool that a server offers.
 *
 * @throws ToolwrightError `TW_MODEL_NAME` when the name is empty.
 * @example
 * const list = new Tool('list');
 * list.inputSchema = { type: 'object', properties: {} };
 */
export class Tool extends GroupItem {
  /** The JSON Schema of the arguments. */
  inputSchema: ObjectSchema | undefined;
  /** The JSON Schema of `structuredContent`. */
  outputSchema: ObjectSchema | undefined;
  /** Hints about what calls may do. */
  toolAnnotations: ToolAnnotations | undefined;

  override addParentGroup(group: Group): boolean {
    return group.addChildTool(this);
  }

  override removeParentGroup(group: Group): boolean {
    return group.removeChildTool(this);
  }
}

/**
 * A prompt with its arguments.
 *
 * @throws ToolwrightError `TW_MODEL_NAME` when the name is empty.
 * @example
 * import { Prompt, PromptArgument } from 'toolwright/model';
 * const review = new Prompt('review');
 * review.addPromptArgument(new PromptArgument('language'));
 */
export class Prompt extends GroupItem {
  readonly #arguments = new MemberList<PromptArgument, Prompt>(this, 'promptArguments');

  /** A frozen snapshot, in the order of joining. */
  get promptArguments(): readonly PromptArgument[] {
    return this.#arguments.items;
  }

  /** Adds an argument; false when the same object was there already. Throws `TW_MODEL_SEALED`. */
  addPromptArgument(argument: PromptArgument): boolean {
    return this.#arguments.add(argument);
  }

  /** Removes an argument; false when it was not there. Throws `TW_MODEL_SEALED`. */
  removePromptArgument(argument: PromptArgument): boolean {
    return this.#arguments.remove(argument);
  }

  override addParentGroup(group: Group): boolean {
    return group.addChildPrompt(this);
  }

  override removeParentGroup(group: Group): boolean {
    return group.removeChildPrompt(this);
  }

  /** @internal */
  override [SEAL](): readonly BaseModel[] {
    this.#arguments.seal();
    return [...super[SEAL](), ...this.promptArguments];
  }
}

/**
 * A resource with a fixed URI.
 *
 * @throws ToolwrightError `TW_MODEL_NAME` when the name is empty.
 * @example
 * import { Resource } from 'toolwright/model';
 * const readme = new Resource('readme');
 * readme.uri = 'file:///README.md';
 */
export class Resource extends GroupItem {
  /** The wire form requires it. */
  uri: string | undefined;
  /** In bytes. */
  size: number | undefined;
  /** The media type of the content. */
  mimeType: string | undefined;
  /** Hints for clients: who it is for, how important it is, when it last changed. */
  annotations: Annotations | undefined;

  override addParentGroup(group: Group): boolean {
    return group.addChildResource(this);
  }

  override removeParentGroup(group: Group): boolean {
    return group.removeChildResource(this);
  }
}

/**
 * A family of resources whose URIs follow a template (RFC 6570).
 *
 * @throws ToolwrightError `TW_MODEL_NAME` when the name is empty.
 * @example
 * const file = new ResourceTemplate('file');
 * file.uriTemplate = 'file:///{path}';
 */
export class ResourceTemplate extends GroupItem {
  /** The wire form requires it. */
  uriTemplate: string | undefined;
  /** The media type of all contents, if they have the same one. */
  mimeType: string | undefined;
  /** Hints for clients: who it is for, how important it is, when it last changed. */
  annotations: Annotations | undefined;

  override addParentGroup(group: Group): boolean {
    return group.addChildResourceTemplate(this);
  }

  override removeParentGroup(group: Group): boolean {
    return group.removeChildResourceTemplate(this);
  }
}

/**
 * A node of the tree in which tools, prompts and resources are offered.
 * Each `add…` and `remove…` is true when the structure changed, false when there was nothing to do.
 *
 * @throws ToolwrightError `TW_MODEL_NAME` when the name is empty, `TW_MODEL_SEALED` from every
 * `add…` and `remove…` when either side is already compiled.
 * @example
 * const office = new Group('office');
 * const rooms = new Group('rooms', '/');
 * office.addChildGroup(rooms);
 * rooms.getFullyQualifiedName(); // 'office/rooms'
 */
export class Group extends GroupNode<Group> {
  readonly #tools = new MemberList<Tool, Group>(this, 'childTools');
  readonly #prompts = new MemberList<Prompt, Group>(this, 'childPrompts');
  readonly #resources = new MemberList<Resource, Group>(this, 'childResources');
  readonly #templates = new MemberList<ResourceTemplate, Group>(this, 'childResourceTemplates');

  /** The tools of this group itself: a frozen snapshot, in the order of joining. */
  get childTools(): readonly Tool[] {
    return this.#tools.items;
  }

  /** The prompts of this group itself: a frozen snapshot, in the order of joining. */
  get childPrompts(): readonly Prompt[] {
    return this.#prompts.items;
  }

  /** The resources of this group itself: a frozen snapshot, in the order of joining. */
  get childResources(): readonly Resource[] {
    return this.#resources.items;
  }

  /** The resource templates of this group itself: a frozen snapshot, in the order of joining. */
  get childResourceTemplates(): readonly ResourceTemplate[] {
    return this.#templates.items;
  }

  /** Adds a tool; false when it was here already. Throws `TW_MODEL_SEALED`. */
  addChildTool(tool: Tool): boolean {
    return this.#tools.link(tool, parentsOf(tool));
  }

  /** Takes a tool out; false when it was not here. Throws `TW_MODEL_SEALED`. */
  removeChildTool(tool: Tool): boolean {
    return this.#tools.unlink(tool, parentsOf(tool));
  }

  /** Adds a prompt; false when it was here already. Throws `TW_MODEL_SEALED`. */
  addChildPrompt(prompt: Prompt): boolean {
    return this.#prompts.link(prompt, parentsOf(prompt));
  }

  /** Takes a prompt out; false when it was not here. Throws `TW_MODEL_SEALED`. */
  removeChildPrompt(prompt: Prompt): boolean {
    return this.#prompts.unlink(prompt, parentsOf(prompt));
  }

  /** Adds a resource; false when it was here already. Throws `TW_MODEL_SEALED`. */
  addChildResource(resource: Resource): boolean {
    return this.#resources.link(resource, parentsOf(resource));
  }

  /** Takes a resource out; false when it was not here. Throws `TW_MODEL_SEALED`. */
  removeChildResource(resource: Resource): boolean {
    return this.#resources.unlink(resource, parentsOf(resource));
  }

  /** Adds a resource template; false when it was here already. Throws `TW_MODEL_SEALED`. */
  addChildResourceTemplate(template: ResourceTemplate): boolean {
    return this.#templates.link(template, parentsOf(template));
  }

  /** Takes a resource template out; false when it was not here. Throws `TW_MODEL_SEALED`. */
  removeChildResourceTemplate(template: ResourceTemplate): boolean {
    return this.#templates.unlink(template, parentsOf(template));
  }

  /** @internal */
  override [SEAL](): readonly BaseModel[] {
    const lists = [this.#tools, this.#prompts, this.#resources, this.#templates];
    for (const list of lists) list.seal();
    return [...super[SEAL](), ...lists.flatMap((list): readonly GroupItem[] => list.items)];
  }
}

/**
 * One argument of a prompt.
 *
 * @throws ToolwrightError `TW_MODEL_NAME` when the name is empty.
 * @example
 * const topic = new PromptArgument('topic');
 * topic.required = true;
 */
export class PromptArgument extends BaseModel {
  /** Whether the argument must be there. Default false. */
  required = false;

  /** Refuses an empty name with `TW_MODEL_NAME`. */
  constructor(name: string) {
    super(name, BaseModel.DEFAULT_SEPARATOR);
  }

  override getFullyQualifiedName(): string {
    return this.name;
  }
}
