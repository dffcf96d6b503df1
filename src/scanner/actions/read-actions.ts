import type { ProblemList } from '../../errors/problem-list.ts';
import { ACTION_RULES } from '../../metadata/option-rules.ts';
import type { ActionOptions } from '../../metadata/options.ts';
import { classChain, ownRecords, type Mark } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import {
  declaredMembers,
  draftMethod,
  type MethodDraft,
  type Controller,
} from '../members/declared-members.ts';
import { checkVersioning } from './versioning.ts';

/** An action as its class declares it, before it has a place in a tool. */
export interface ActionDraft extends MethodDraft {
  readonly name: string;
  readonly options: ActionOptions;
  readonly marks: ReadonlySet<Mark>;
  /** What its own @OpenWorld says. */
  readonly isOpenWorld: boolean | undefined;
}

/** The actions of a class in source order, those of its base classes first. */
export function readActions(controller: Controller, problems: ProblemList): readonly ActionDraft[] {
  return declaredMembers(controller.type, 'action').map((found) => {
    const method = draftMethod(controller, found, ACTION_RULES, problems);
    checkVersioning(method.options, problems.at(method.where));
    const marks = readMarks(found.owner, found.member);
    const isOpenWorld = readOpenWorld(found.owner, found.member);
    return { ...method, remaining: 'input', marks, isOpenWorld };
  });
}

/** An override keeps the warning that its base gives, and has to repeat that it stays in a closed world. */
function readOpenWorld(owner: Class, member: string | symbol): boolean | undefined {
  const [own, ...inherited] = classChain(owner).map(
    (type) => ownRecords(type, 'openWorld').find((record) => record.member === member)?.isOpen,
  );
  return own ?? (inherited.includes(true) ? true : undefined);
}

const WARNING_MARKS: ReadonlySet<Mark> = new Set<Mark>(['destructive']);

/**
 * An override keeps the warning marks of the method it overrides, and has to repeat the marks that promise safety.
 * Its own @ReadOnly takes back an inherited @Destructive.
 */
function readMarks(owner: Class, member: string | symbol): ReadonlySet<Mark> {
  const [own = [], ...inherited] = classChain(owner).map((type) => markNames(type, member));
  const warnings = inherited.flat().filter((mark) => WARNING_MARKS.has(mark));
  const kept = own.includes('readOnly') ? warnings.filter((mark) => mark !== 'destructive') : warnings;
  return new Set([...own, ...kept]);
}

function markNames(type: Class, member: string | symbol): readonly Mark[] {
  return ownRecords(type, 'mark').flatMap((record) => (record.member === member ? [record.mark] : []));
}
