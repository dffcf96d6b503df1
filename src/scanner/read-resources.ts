import { soundOptions } from '../errors/option-errors.ts';
import type { ProblemList } from '../errors/problem-list.ts';
import { RESOURCE_RULES } from '../metadata/option-rules.ts';
import type { ResourceOptions } from '../metadata/options.ts';
import { optionReport } from './check-options.ts';
import { checkSchemas } from './check-schema.ts';
import { declaredMembers, type DeclaredMember } from './declared-members.ts';
import { draftMethod, type Controller, type MethodDraft } from './method-draft.ts';
import { checkName } from './names.ts';
import { readTarget, type ResourceTarget } from './read-target.ts';

/** A resource as its class declares it. */
export interface ResourceDraft extends MethodDraft {
  readonly name: string;
  readonly options: ResourceOptions;
  readonly target: ResourceTarget;
}

const OF_TEMPLATES = ['list', 'input'] as const satisfies readonly (keyof ResourceOptions)[];
const OF_FIXED = ['size'] as const satisfies readonly (keyof ResourceOptions)[];

/** The resources of a class in source order, those of its base classes first. */
export function readResources(controller: Controller, problems: ProblemList): readonly ResourceDraft[] {
  return declaredMembers(controller.type, 'resource').map((found) =>
    readResource(controller, found, problems),
  );
}

function readResource(
  controller: Controller,
  { owner, member, record }: DeclaredMember<'resource'>,
  problems: ProblemList,
): ResourceDraft {
  const method = draftMethod(controller, { owner, member });
  const report = optionReport({ where: method.where, of: '@Resource' });
  const options = soundOptions(record.options, RESOURCE_RULES, report, problems);
  const target = readTarget(record.uri, method.where, problems);
  checkResourceOptions(options, target, method.where, problems);
  const name = options.name ?? (typeof member === 'string' ? member : '');
  checkName(name, 'resource', method.where, problems);
  const remaining = target.kind === 'template' ? 'variables' : 'nothing';
  return { decorator: '@Resource', remaining, name, options, target, ...method };
}

function checkResourceOptions(
  options: ResourceOptions,
  { kind }: ResourceTarget,
  where: string,
  problems: ProblemList,
): void {
  checkSchemas(options, ['input'], where, problems);
  for (const option of kind === 'template' ? OF_FIXED : OF_TEMPLATES) {
    if (options[option] === undefined) continue;
    problems.add('TW_SCAN_RESOURCE_OPTION', {
      where,
      what: `sets ${option}, which counts on ${kind === 'template' ? 'a fixed URI' : 'a template'} only.`,
      fix: `remove ${option}${kind === 'template' ? '' : ", or write a template: @Resource('…/{name}')"}`,
    });
  }
}
