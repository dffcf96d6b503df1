import type { Group, Prompt } from 'toolwright/model';

/** The fields of a model as a plain object, without its links. */
export function fieldsOf(model: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(model));
}

/** All that a prompt holds, its arguments included: what a comparison of two prompts has to see. */
export function promptFacts(prompt: Prompt): unknown {
  return {
    ...fieldsOf(prompt),
    promptArguments: prompt.promptArguments.map((argument) => fieldsOf(argument)),
  };
}

/** All that a tree holds; shared leaves are distinguished by the paths of their groups. */
export function groupFacts(group: Group): unknown {
  const paths = (leaf: { parentGroups: readonly Group[] }) =>
    leaf.parentGroups.map((parent) => parent.getFullyQualifiedName()).sort();
  return {
    ...fieldsOf(group),
    path: group.getFullyQualifiedName(),
    groups: group.childGroups.map(groupFacts),
    tools: group.childTools.map((tool) => ({ ...fieldsOf(tool), parents: paths(tool) })),
    prompts: group.childPrompts.map((prompt) => [promptFacts(prompt), paths(prompt)]),
    resources: group.childResources.map((resource) => ({ ...fieldsOf(resource), parents: paths(resource) })),
    templates: group.childResourceTemplates.map((template) => ({
      ...fieldsOf(template),
      parents: paths(template),
    })),
  };
}
