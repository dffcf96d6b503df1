import { soundOptions } from '../errors/option-errors.ts';
import type { ProblemList } from '../errors/problem-list.ts';
import { GROUP_RULES } from '../metadata/option-rules.ts';
import type { ToolGroupOptions } from '../metadata/options.ts';
import { classChain, ownRecords } from '../metadata/records.ts';
import type { Class } from '../shared/class-type.ts';
import type { ActionDraft } from './action-draft.ts';
import { optionReport } from './check-options.ts';
import { checkSchemas } from './check-schema.ts';
import { checkVersioning } from './check-versioning.ts';
import type { ControllerDraft } from './controller-draft.ts';
import { linkGroups, type GroupForest, type LooseGroup } from './link-groups.ts';
import type { Controller } from './method-draft.ts';
import { checkName, checkPrefix, defaultGroupName } from './names.ts';

/** The group trees of all controllers, in the order of the controllers. */
export function readGroups(drafts: readonly ControllerDraft[], problems: ProblemList): GroupForest {
  const groups = new Map<Class, LooseGroup>();
  for (const { controller, actions } of drafts) {
    const group = readGroup(controller, actions, problems);
    if (group !== undefined) groups.set(controller.type, group);
    else if (actions.length > 0) reportNoGroup(controller, problems);
  }
  return linkGroups(groups, problems);
}

function readGroup(
  controller: Controller,
  actions: readonly ActionDraft[],
  problems: ProblemList,
): LooseGroup | undefined {
  const { type } = controller;
  const records = ownRecords(type, 'toolGroup');
  const record = records.at(-1);
  if (record === undefined) return undefined;
  if (records.length > 1) {
    problems.add('TW_SCAN_DECORATOR_TWICE', {
      where: type.name,
      what: 'has @ToolGroup twice.',
      fix: 'keep one @ToolGroup, and give the other group a class of its own',
    });
  }
  const report = optionReport({ where: type.name, of: '@ToolGroup' });
  const options = soundOptions(record.options, GROUP_RULES, report, problems);
  const name: unknown = options.name ?? defaultGroupName(type.name);
  checkGroupOptions(options, name, type.name, problems);
  // A text also where it was none, so that the stages after this one find the other problems
  return { controller, type, options, name: String(name), actions: [...actions], children: [] };
}

function checkGroupOptions(
  options: ToolGroupOptions,
  name: unknown,
  where: string,
  problems: ProblemList,
): void {
  checkVersioning(options, where, problems);
  checkSchemas(options, ['common'], where, problems);
  checkName(name, Object.hasOwn(options, 'parent') ? 'group' : 'tool', where, problems);
  checkPrefix(options.prefix, where, problems);
}

function reportNoGroup({ type }: Controller, problems: ProblemList): void {
  const base = classChain(type).find((candidate) => ownRecords(candidate, 'toolGroup').length > 0);
  problems.add('TW_SCAN_GROUP_MISSING', {
    where: type.name,
    what: 'has actions but no @ToolGroup.',
    ...(base === undefined
      ? {}
      : { why: `the @ToolGroup of ${base.name} is not inherited: two tools cannot share a name.` }),
    fix: `@ToolGroup('${defaultGroupName(type.name)}') on ${type.name}`,
  });
}
