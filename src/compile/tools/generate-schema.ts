import type { ProblemList } from '../../errors/problem-list.ts';
import type { WarningCode } from '../../errors/catalogue.ts';
import { freeName, type Definitions } from '../../schema/definitions.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import { NO_FIELDS, objectSchema, sourceFields, type FieldList } from '../fields/field-list.ts';
import { mergeDeclarations, type Declaration, type TypeConflict } from '../fields/merge-declarations.ts';
import type { TagCondition, TaggedBranch } from '../fields/tagged-branches.ts';
import { describeConditions, joinSentences } from './describe-tool.ts';
import type { ToolFacts } from './prepared-tool.ts';

/** What is found where a tool is listed. */
export interface ListReports {
  /** What keeps the tool from being served. */
  readonly problems: ProblemList;
  /** What is good to know of it. */
  readonly notices: ProblemList<WarningCode>;
}

/** The one input schema of a tool: it accepts every input that at least one of the actions accepts. */
export function generateSchema(tool: ToolFacts, { problems, notices }: ListReports): ObjectSchema {
  const index = indexFields(tool, problems);
  reportDiscriminator(tool, index, problems);
  const merged = [...index.fields].map(([name, field]): [string, JsonSchema] => {
    const onConflict = (conflict: TypeConflict): void => {
      reportConflict(tool, conflict, notices);
    };
    const { definitions } = index;
    const schema = mergeDeclarations(field.declarations, { path: name, definitions, onConflict });
    return [name, withNote(schema, tool.describe === 'signatures' ? '' : fieldNote(field))];
  });
  const always = [...index.fields].filter(([, field]) => field.isAlwaysRequired).map(([name]) => name);
  const discriminator = [tool.discriminator, describeDiscriminator(tool)] as const;
  return objectSchema([discriminator, ...merged], [tool.discriminator, ...always], index.definitions);
}

function describeDiscriminator({ actions, mode, describe }: ToolFacts): JsonSchema {
  const plain = mode === 'flat' ? 'The action to run' : 'The action to run, written group.action';
  return {
    type: 'string',
    enum: actions.map(({ key }) => key),
    description: describe === 'signatures' ? 'One of the actions above' : plain,
  };
}

function withNote(schema: JsonSchema, note: string): JsonSchema {
  const { description = '', ...others } = schema;
  const text = joinSentences(description, note);
  return text === '' ? others : { ...schema, description: text };
}

/** A name for the discriminator that no field has. */
export function freeDiscriminator(taken: { has(name: string): boolean }): string {
  return freeName('operation', taken);
}

function reportDiscriminator(tool: ToolFacts, { fields }: ToolFields, problems: ProblemList): void {
  for (const { place } of fields.get(tool.discriminator)?.declarations ?? []) {
    problems.at(tool.where).add('TW_COMPILE_FIELD_IS_DISCRIMINATOR', {
      what: `declares the field "${tool.discriminator}" in ${place}, but that is the name of its discriminator`,
      why: 'the discriminator says which action to run and never reaches the handler',
      fix: `rename the field, or give the tool another discriminator: { discriminator: '${freeDiscriminator(fields)}' }`,
    });
  }
}

function reportConflict(tool: ToolFacts, conflict: TypeConflict, notices: ProblemList<WarningCode>): void {
  const { path, first, firstType, second, secondType } = conflict;
  notices.at(`tool "${tool.name}"`).add('TW_NOTE_FIELD_TYPES', {
    what: `declares the field "${path}" as ${firstType} for ${first} and as ${secondType} for ${second}.`,
    why: 'all actions of a tool share one schema: it names both types and their actions, and each action checks its own.',
    fix: 'nothing, if it is meant; else give both the same type, or rename the field in one of them',
  });
}

/** One field of a tool: who declares it, and which actions need it. */
interface IndexedField {
  readonly declarations: readonly PlacedDeclaration[];
  readonly isAlwaysRequired: boolean;
  /** Keys of actions, in registration order. */
  readonly requiredBy: readonly string[];
  readonly optionalFor: readonly string[];
  /** The branches of tagged unions that need it. */
  readonly requiredWith: readonly BranchNeed[];
}

/** @property place as messages name it: `action "find"` */
type PlacedDeclaration = Declaration & { readonly place: string };

/** A branch and its owner: the key of an action, or undefined for the common schema. */
interface BranchNeed {
  readonly by: string | undefined;
  readonly when: readonly TagCondition[];
}

/** The fields of a tool: common ones as declared, then those of the actions in order of first appearance. */
interface ToolFields {
  readonly fields: ReadonlyMap<string, IndexedField>;
  readonly definitions: Definitions;
}

interface FieldUse {
  readonly declarations: PlacedDeclaration[];
  /** Keys of the actions that declare the field → whether they require it. */
  readonly uses: Map<string, boolean>;
  readonly requiredWith: BranchNeed[];
}

function indexFields(tool: ToolFacts, problems: ProblemList): ToolFields {
  const sources = [
    { schema: tool.common, where: `the common schema of ${tool.where}` },
    ...tool.actions.map(({ key, own, list }) => ({
      schema: own,
      where: `action "${key}" of ${tool.where}`,
      list,
    })),
  ];
  const { lists, definitions } = sourceFields(sources, problems);
  const [common = NO_FIELDS, ...own] = lists;
  const keys = tool.actions.map(({ key }) => key);
  const found = new Map<string, FieldUse>();
  addFields(found, common, { place: '"common"', by: (name) => othersThan(name, keys, own) });
  addNeeds(found, undefined, common.branches);
  for (const [index, { key, branches = [] }] of tool.actions.entries()) {
    const list = own[index] ?? NO_FIELDS;
    addFields(found, list, { place: `action "${key}"`, by: () => key });
    for (const name of list.fields.keys()) found.get(name)?.uses.set(key, list.required.has(name));
    addNeeds(found, key, branches);
  }
  const fields = [...found].map(([name, use]): [string, IndexedField] => [
    name,
    common.fields.has(name) ? commonField(use, keys, common.required.has(name)) : actionField(use),
  ]);
  return { fields: new Map(fields), definitions };
}

function addFields(
  found: Map<string, FieldUse>,
  { fields }: FieldList,
  { place, by }: { readonly place: string; readonly by: (name: string) => string },
): void {
  for (const [name, schema] of fields) {
    const declaration = { by: by(name), place, schema };
    const known = found.get(name);
    if (known === undefined)
      found.set(name, { declarations: [declaration], uses: new Map(), requiredWith: [] });
    else known.declarations.push(declaration);
  }
}

/** The actions that do not declare a field again. */
function othersThan(name: string, keys: readonly string[], own: readonly FieldList[]): string {
  return keys.filter((_, index) => own[index]?.fields.has(name) !== true).join(', ');
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

/** Says which actions need a field. */
function fieldNote(field: Omit<IndexedField, 'declarations'>): string {
  if (field.isAlwaysRequired) return '(always required)';
  const lists: string[] = [];
  if (field.requiredBy.length > 0) lists.push(`Required for: ${field.requiredBy.join(', ')}`);
  if (field.optionalFor.length > 0) lists.push(`For: ${field.optionalFor.join(', ')}`);
  const needs = branchNote(field.requiredWith);
  if (needs !== '') lists.push(needs);
  return lists.join('. ');
}

function branchNote(needs: readonly BranchNeed[]): string {
  const actions = new Map<string, string[]>();
  for (const { by, when } of needs) {
    const condition = describeConditions(when);
    actions.set(condition, [...(actions.get(condition) ?? []), ...(by === undefined ? [] : [by])]);
  }
  const texts = [...actions].map(([condition, keys]) =>
    keys.length === 0 ? condition : `for ${keys.join(', ')} ${condition}`,
  );
  return texts.length === 0 ? '' : `Required ${texts.join('; ')}`;
}
