import { DEPRECATED_META_KEY, VERSION_META_KEY } from '../../call/version-meta.ts';
import { Group, Tool } from '../../model/group.ts';
import { createIcon } from '../../model/icon.ts';
import { createToolAnnotations } from '../../model/tool-annotations.ts';
import type { ScannedAction, ScannedTool } from '../../scanner/scanned-tool.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';

/** One action at one place of a tree; an action with several groups has several places and one leaf. */
export interface ToolPlace {
  readonly group: Group;
  readonly leaf: Tool;
  readonly action: ScannedAction;
}

/** A scanned tool in the domain model: groups as they were nested, and a leaf for each action. */
export interface ToolTree {
  readonly root: Group;
  /** In registration order. */
  readonly places: readonly ToolPlace[];
}

/** What a leaf is told of its action: the schemas of its own fields and of its output. */
export interface LeafSchemas {
  readonly input: ObjectSchema | undefined;
  readonly output: JsonSchema | undefined;
}

/** Grows the tree of a tool. @param schemas one entry per action, in order */
export function growToolTree(tool: ScannedTool, schemas: readonly LeafSchemas[]): ToolTree {
  const root = new Group(tool.name);
  root.title = tool.title;
  root.description = tool.description;
  root.icons = tool.icons?.map((icon) => createIcon(icon));
  root.meta = tool.meta === undefined ? undefined : new Map(Object.entries(tool.meta));
  for (const { path, description } of tool.groups) groupAt(root, path).description = description;
  const leaves = new Map<unknown, Tool>();
  const places = tool.actions.map((action, index): ToolPlace => {
    const group = action.group === undefined ? root : groupAt(root, action.group);
    const identity = identityOf(action);
    const leaf = leaves.get(identity) ?? createLeaf(action, schemas[index]);
    leaves.set(identity, leaf);
    group.addChildTool(leaf);
    return Object.freeze({ group, leaf, action });
  });
  return Object.freeze({ root, places: Object.freeze(places) });
}

/** The names from the tool down to a group, the tool's own left out. */
export function namesBelowTool(group: Group): readonly string[] {
  return group.parent === null ? [] : [...namesBelowTool(group.parent), group.name];
}

function groupAt(root: Group, path: string): Group {
  let group = root;
  for (const name of path.split('.')) {
    let child = group.childGroups.find((candidate) => candidate.name === name);
    if (child === undefined) group.addChildGroup((child = new Group(name)));
    group = child;
  }
  return group;
}

/** The method itself where there is one: the same method in two groups is the same leaf. */
function identityOf(action: ScannedAction): unknown {
  const { handler } = action;
  return handler.kind === 'function' ? action : `${handler.controller.toString()} ${String(handler.member)}`;
}

function createLeaf(action: ScannedAction, schemas: LeafSchemas | undefined): Tool {
  const leaf = new Tool(action.name);
  leaf.title = action.title;
  leaf.description = action.description;
  leaf.meta = versionMeta(action);
  leaf.inputSchema = schemas?.input;
  const output = schemas?.output;
  leaf.outputSchema = output?.type === 'object' ? (output as ObjectSchema) : undefined;
  leaf.toolAnnotations = createToolAnnotations({
    readOnlyHint: action.isReadOnly,
    destructiveHint: action.isDestructive,
    idempotentHint: action.isIdempotent,
    ...(action.isOpenWorld === undefined ? {} : { openWorldHint: action.isOpenWorld }),
  });
  return leaf;
}

/** Versions of an action are leaves of one name, which only this tells apart. */
function versionMeta({ version, deprecated }: ScannedAction): Map<string, unknown> | undefined {
  const entries = [
    ...(version === undefined ? [] : [[VERSION_META_KEY, version] as const]),
    ...(deprecated === undefined ? [] : [[DEPRECATED_META_KEY, deprecated] as const]),
  ];
  return entries.length === 0 ? undefined : new Map<string, unknown>(entries);
}
