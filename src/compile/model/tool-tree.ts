import { DEPRECATED_META_KEY, VERSION_META_KEY } from '../../call/version-meta.ts';
import { Group, Tool } from '../../model/group.ts';
import { createIcon, createToolAnnotations } from '../../model/values.ts';
import type { ScannedAction } from '../../scanner/actions/scanned-tool.ts';
import type { ObjectSchema } from '../../shared/json-schema.ts';
import type { PreparedAction, PreparedTool } from '../prepared-tool.ts';

/** A prepared tool in the domain model: groups as they were nested, and a leaf for each action. */
export function growToolTree({ scanned: tool, actions }: Pick<PreparedTool, 'scanned' | 'actions'>): Group {
  const root = new Group(tool.name);
  root.title = tool.title;
  root.description = tool.description;
  root.icons = tool.icons?.map((icon) => createIcon(icon));
  root.meta = tool.meta === undefined ? undefined : new Map(Object.entries(tool.meta));
  const groups = new Map<string, Group>();
  for (const { path, description } of tool.groups) groupAt(root, path, groups).description = description;
  const leaves = new Map<unknown, Tool>();
  for (const action of actions) {
    const { group: path } = action.scanned;
    const group = path === undefined ? root : groupAt(root, path, groups);
    const identity = canonicalJson(action.scanned);
    const leaf = leaves.get(identity) ?? createLeaf(action);
    leaves.set(identity, leaf);
    group.addChildTool(leaf);
  }
  return root;
}

/** The group at a path, with those above it: each is made when something below it is there first. */
function groupAt(root: Group, path: string, known: Map<string, Group>): Group {
  const found = known.get(path);
  if (found !== undefined) return found;
  const end = path.lastIndexOf('.');
  const parent = end < 0 ? root : groupAt(root, path.slice(0, end), known);
  const group = new Group(path.slice(end + 1));
  parent.addChildGroup(group);
  known.set(path, group);
  return group;
}

/** The method itself where there is one: the same method in two groups is the same leaf. */
function canonicalJson(action: ScannedAction): unknown {
  const { handler } = action;
  return handler.kind === 'function' ? action : `${handler.controller.toString()} ${String(handler.member)}`;
}

function createLeaf({ scanned: action, contracts, output }: PreparedAction): Tool {
  const leaf = new Tool(action.name);
  leaf.title = action.title;
  leaf.description = action.description;
  leaf.meta = versionMeta(action);
  leaf.inputSchema = contracts.own?.schema;
  leaf.outputSchema = output?.schema.type === 'object' ? (output.schema as ObjectSchema) : undefined;
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
