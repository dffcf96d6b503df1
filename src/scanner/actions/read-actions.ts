import { soundOptions } from '../../errors/option-errors.ts';
import type { ProblemList } from '../../errors/problem-list.ts';
import { ACTION_RULES } from '../../metadata/option-rules.ts';
import type { ActionOptions } from '../../metadata/options.ts';
import { classChain, ownRecords, type Mark } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import { optionReport, checkSchemas } from '../check-options.ts';
import { checkName } from '../groups/names.ts';
import {
  declaredMembers,
  draftMethod,
  type MethodDraft,
  type DeclaredMember,
  type Controller,
} from '../members/declared-members.ts';
import { checkVersioning } from './versioning.ts';

/** An action as its class declares it, before it has a place in a tool. */
export interface ActionDraft extends MethodDraft {
  readonly name: string;
  readonly options: ActionOptions;
  readonly marks: ReadonlySet<Mark>;
}

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
  const report = optionReport({ where, of: '@Action' });
  const options = soundOptions(record.options, ACTION_RULES, report, problems);
  checkVersioning(options, where, problems);
  checkSchemas(options, ['input', 'output'], where, problems);
  const name = options.name ?? (typeof member === 'string' ? member : '');
  checkName(name, 'action', where, problems);
  return {
    decorator: '@Action',
    remaining: 'input',
    name,
    options,
    marks: marksOf(owner, member),
    ...method,
  };
}

const WARNING_MARKS: ReadonlySet<Mark> = new Set<Mark>(['destructive', 'openWorld']);

/**
 * An override keeps the marks that warn of the method it overrides, and has to promise again what was harmless.
 * Its own @ReadOnly takes back an inherited @Destructive.
 */
function marksOf(owner: Class, member: string | symbol): ReadonlySet<Mark> {
  const [own = [], ...inherited] = classChain(owner).map((type) => markNames(type, member));
  const warnings = inherited.flat().filter((mark) => WARNING_MARKS.has(mark));
  const kept = own.includes('readOnly') ? warnings.filter((mark) => mark !== 'destructive') : warnings;
  return new Set([...own, ...kept]);
}

function markNames(type: Class, member: string | symbol): readonly Mark[] {
  return ownRecords(type, 'mark').flatMap((record) => (record.member === member ? [record.mark] : []));
}
