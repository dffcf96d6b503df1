import type { ProblemList } from '../errors/problem-list.ts';
import type { ActionOptions } from '../metadata/options.ts';
import { ownRecords } from '../metadata/record-store.ts';
import type { ActionDraft } from './action-draft.ts';
import { checkChoice, checkOptionNames } from './check-options.ts';
import { checkSchemas } from './check-schema.ts';
import { declaredMembers, type DeclaredMember } from './declared-members.ts';
import { draftMethod, type Controller } from './method-draft.ts';
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
  return declaredMembers(controller.type, 'action').map((found) => readAction(controller, found, problems));
}

function readAction(
  controller: Controller,
  { owner, member, record }: DeclaredMember<'action'>,
  problems: ProblemList,
): ActionDraft {
  const method = draftMethod(controller, { owner, member });
  const { where } = method;
  const { options } = record;
  checkOptionNames(options, ACTION_OPTIONS, { where, of: '@Action' }, problems);
  checkChoice(options.result, ['json', 'toon', 'text'], 'result', where, problems);
  checkChoice(options.unknownFields, ['strict', 'strip'], 'unknownFields', where, problems);
  checkSchemas(options, ['input', 'output'], where, problems);
  const name = options.name ?? (typeof member === 'string' ? member : '');
  checkName(name, 'action', where, problems);
  const marks = ownRecords(owner, 'mark').filter((mark) => mark.member === member);
  return {
    ...method,
    decorator: '@Action',
    remaining: 'input',
    name,
    options,
    marks: new Set(marks.map(({ mark }) => mark)),
  };
}
