import type { ProblemList } from '../errors/problem-list.ts';
import type { ActionOptions } from '../metadata/options.ts';
import type { ActionRecord, MiddlewareRecord } from '../metadata/records.ts';
import { classChain, ownRecords } from '../metadata/record-store.ts';
import type { Class } from '../shared/class-type.ts';
import type { ActionDraft, Controller } from './action-draft.ts';
import { memberName } from './check-members.ts';
import { checkChoice, checkOptionNames } from './check-options.ts';
import { checkSchemas } from './check-schema.ts';
import { checkName } from './names.ts';

const ACTION_OPTIONS: Readonly<Record<keyof ActionOptions, true>> = {
  name: true,
  title: true,
  description: true,
  input: true,
  output: true,
  groups: true,
  tags: true,
  unknownFields: true,
  result: true,
};

/** The actions of a class in source order, those of its base classes first. */
export function readActions(controller: Controller, problems: ProblemList): readonly ActionDraft[] {
  const found = new Map<string | symbol, { readonly owner: Class; readonly record: ActionRecord }>();
  for (const owner of [...classChain(controller.type)].reverse()) {
    const records = ownRecords(owner, 'action').filter((record) => !record.isStatic);
    for (const member of Reflect.ownKeys(owner.prototype as object)) {
      // An override takes the place of what it overrides, or drops it when it has no @Action.
      found.delete(member);
      const record = records.findLast((candidate) => candidate.member === member);
      if (record !== undefined) found.set(member, { owner, record });
    }
  }
  return [...found.values()].map(({ owner, record }) => draft(controller, owner, record, problems));
}

/** The entries of @Middleware records, outermost first: decorators evaluate bottom-up, and the upper is outer. */
export function outermostFirst(records: readonly MiddlewareRecord[]): readonly unknown[] {
  return [...records].reverse().flatMap((record) => record.middleware);
}

function draft(
  controller: Controller,
  owner: Class,
  { member, options }: ActionRecord,
  problems: ProblemList,
): ActionDraft {
  const where = memberName(controller.type, member);
  checkOptionNames(options, ACTION_OPTIONS, { where, of: '@Action' }, problems);
  checkChoice(options.result, ['json', 'toon', 'text'], 'result', where, problems);
  checkChoice(options.unknownFields, ['strict', 'strip'], 'unknownFields', where, problems);
  checkSchemas(options, ['input', 'output'], where, problems);
  const name = options.name ?? (typeof member === 'string' ? member : '');
  checkName(name, 'action', where, problems);
  const marks = ownRecords(owner, 'mark').filter((record) => record.member === member);
  const middleware = ownRecords(owner, 'middleware').filter((record) => record.member === member);
  return {
    controller,
    owner,
    member,
    name,
    where,
    options,
    marks: new Set(marks.map((record) => record.mark)),
    middleware: outermostFirst(middleware),
  };
}
