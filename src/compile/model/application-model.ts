import { sealModel } from '../../model/base-model.ts';
import type { Group, Prompt, Resource, ResourceTemplate } from '../../model/group.ts';
import type { CompiledApplication } from '../compile-application.ts';
import { growToolTree } from './tool-tree.ts';

/** Everything an application offers, in the domain model. It is sealed: a change belongs to the registry. */
export interface ApplicationModel {
  /** One root group per tool. */
  readonly groups: readonly Group[];
  /** All prompts, those in groups among them; likewise the others. */
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
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
