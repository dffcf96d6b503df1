import { DEPRECATED_META_KEY, VERSION_META_KEY } from '../call/action-options.ts';
import { sealModel } from '../model/base-model.ts';
import { Group, Tool, type Prompt, type Resource, type ResourceTemplate } from '../model/group.ts';
import { createToolAnnotations } from '../model/values.ts';
import type { ScannedAction } from '../scanner/actions/scan-tools.ts';
import type { ObjectSchema } from '../shared/json-schema.ts';
import type { CompiledApplication } from './compile-application.ts';
import { setModelMembers } from './set-model-members.ts';
import type { PreparedAction, PreparedTool } from './tools/prepared-tool.ts';

/** Everything an application offers, in the domain model. The model is sealed; changes go through the registry. */
export interface ApplicationModel {
  /** One root group per tool. */
  readonly groups: readonly Group[];
  /** All prompts, including those in groups; the same holds for the lists below. */
  readonly prompts: readonly Prompt[];
  /** The resources with a fixed URI. */
  readonly resources: readonly Resource[];
  /** The resources whose URI is a template. */
  readonly resourceTemplates: readonly ResourceTemplate[];
}

/** Links prompts and resources into the groups of the classes that declare them, and seals the whole. */
export function createApplicationModel({ tools, prompts, resources }: CompiledApplication): ApplicationModel {
  const groups = tools.map(({ prepared }) => growToolTree(prepared));
  const byName = new Map(
    groups.flatMap(withDescendants).map((group) => [group.getFullyQualifiedName(), group]),
  );
  for (const prompt of prompts) groupOf(prompt, byName)?.addChildPrompt(prompt.model);
  for (const resource of resources) {
    const group = groupOf(resource, byName);
    if (resource.kind === 'fixed') group?.addChildResource(resource.model);
    else group?.addChildResourceTemplate(resource.model);
  }
  const model = {
    groups: Object.freeze(groups),
    prompts: Object.freeze(prompts.map((prompt) => prompt.model)),
    resources: Object.freeze(resources.flatMap((item) => (item.kind === 'fixed' ? [item.model] : []))),
    resourceTemplates: Object.freeze(
      resources.flatMap((item) => (item.kind === 'template' ? [item.model] : [])),
    ),
  };
  sealModel([...model.groups, ...model.prompts, ...model.resources, ...model.resourceTemplates]);
  return Object.freeze(model);
}

function groupOf(
  item: { readonly group: string | undefined },
  byName: ReadonlyMap<string, Group>,
): Group | undefined {
  return item.group === undefined ? undefined : byName.get(item.group);
}

function withDescendants(group: Group): readonly Group[] {
  return [group, ...group.childGroups.flatMap(withDescendants)];
}

/** A prepared tool in the domain model: groups as they were nested, and a leaf for each action. */
export function growToolTree({ scanned: tool, actions }: Pick<PreparedTool, 'scanned' | 'actions'>): Group {
  const root = new Group(tool.name);
  setModelMembers(root, tool);
  const groups = new Map<string, Group>();
  for (const { path, description } of tool.groups) groupAt(root, path, groups).description = description;
  const leaves = new Map<unknown, Tool>();
  for (const action of actions) {
    const { group: path } = action.scanned;
    const group = path === undefined ? root : groupAt(root, path, groups);
    const identity = leafIdentity(action.scanned);
    const leaf = leaves.get(identity) ?? createLeaf(action);
    leaves.set(identity, leaf);
    group.addChildTool(leaf);
  }
  return root;
}

/** The group at a path. It and the groups above it are created when they are first needed. */
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

/** The method itself, if there is one, so that the same method in two groups is the same leaf. */
function leafIdentity(action: ScannedAction): unknown {
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

/** Versions of an action are leaves with the same name; this distinguishes them. */
function versionMeta({ version, deprecated }: ScannedAction): Map<string, unknown> | undefined {
  const entries = [
    ...(version === undefined ? [] : [[VERSION_META_KEY, version] as const]),
    ...(deprecated === undefined ? [] : [[DEPRECATED_META_KEY, deprecated] as const]),
  ];
  return entries.length === 0 ? undefined : new Map<string, unknown>(entries);
}
