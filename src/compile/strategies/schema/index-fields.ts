import type { ToolFacts } from '../action-facts.ts';
import type { FieldList } from '../field-list.ts';
import type { ProblemList } from '../../../errors/problem-list.ts';
import type { Declaration } from './declaration.ts';
import type { Definitions } from '../../../schema/definitions.ts';
import { sourceFields } from './source-fields.ts';
import type { TagCondition, TaggedBranch } from './tagged-branches.ts';

/** One field of a tool: who declares it, and which actions need it. */
export interface IndexedField {
  readonly declarations: readonly Declaration[];
  readonly isAlwaysRequired: boolean;
  /** Keys of actions, in registration order. */
  readonly requiredBy: readonly string[];
  readonly optionalFor: readonly string[];
  /** The branches of tagged unions that need it. */
  readonly requiredWith: readonly BranchNeed[];
}

/** A branch, and whose it is: the key of an action, or undefined for the common schema. */
export interface BranchNeed {
  readonly by: string | undefined;
  readonly when: readonly TagCondition[];
}

/** The fields of a tool: common ones as declared, then those of the actions as they first turn up. */
export interface ToolFields {
  readonly fields: ReadonlyMap<string, IndexedField>;
  readonly definitions: Definitions;
}

interface FieldUse {
  readonly declarations: Declaration[];
  /** Keys of the actions that declare the field → whether they require it. */
  readonly uses: Map<string, boolean>;
  readonly requiredWith: BranchNeed[];
}

const NO_FIELDS: FieldList = { fields: new Map(), required: new Set(), branches: [] };

export function indexFields(tool: ToolFacts, problems: ProblemList): ToolFields {
  const sources = [
    { schema: tool.common, where: `the common schema of ${tool.where}` },
    ...tool.actions.map(({ key, own }) => ({ schema: own, where: `action "${key}" of ${tool.where}` })),
  ];
  const { lists, definitions } = sourceFields(sources, problems);
  const [common = NO_FIELDS, ...own] = lists;
  const found = new Map<string, FieldUse>();
  addFields(found, '"common"', common);
  addNeeds(found, undefined, common.branches);
  for (const [index, { key, branches = [] }] of tool.actions.entries()) {
    const list = own[index] ?? NO_FIELDS;
    addFields(found, `action "${key}"`, list);
    for (const name of list.fields.keys()) found.get(name)?.uses.set(key, list.required.has(name));
    addNeeds(found, key, branches);
  }
  const keys = tool.actions.map(({ key }) => key);
  const fields = [...found].map(([name, use]): [string, IndexedField] => [
    name,
    common.fields.has(name) ? commonField(use, keys, common.required.has(name)) : actionField(use),
  ]);
  return { fields: new Map(fields), definitions };
}

function addFields(found: Map<string, FieldUse>, by: string, { fields }: FieldList): void {
  for (const [name, schema] of fields) {
    const known = found.get(name);
    if (known === undefined)
      found.set(name, { declarations: [{ by, schema }], uses: new Map(), requiredWith: [] });
    else known.declarations.push({ by, schema });
  }
}

function addNeeds(
  found: ReadonlyMap<string, FieldUse>,
  by: string | undefined,
  branches: readonly TaggedBranch[],
): void {
  for (const { when, required } of branches) {
    for (const name of required) found.get(name)?.requiredWith.push({ by, when });
  }
}

function actionField({ declarations, uses, requiredWith }: FieldUse): IndexedField {
  return { declarations, isAlwaysRequired: false, ...split(uses), requiredWith };
}

/** Every action uses a common field; the version of an action that declares it again counts for that action. */
function commonField(
  { declarations, uses, requiredWith }: FieldUse,
  keys: readonly string[],
  isRequired: boolean,
): IndexedField {
  const effective = new Map(keys.map((key) => [key, uses.get(key) ?? isRequired]));
  const lists = split(effective);
  const isAlwaysRequired = isRequired && lists.optionalFor.length === 0;
  return { declarations, isAlwaysRequired, ...lists, requiredWith };
}

function split(uses: ReadonlyMap<string, boolean>): Pick<IndexedField, 'requiredBy' | 'optionalFor'> {
  const entries = [...uses];
  return {
    requiredBy: entries.filter(([, isRequired]) => isRequired).map(([key]) => key),
    optionalFor: entries.filter(([, isRequired]) => !isRequired).map(([key]) => key),
  };
}
