import type { ProblemList } from '../errors/problem-list.ts';
import type { ResourceAnnotationOptions, ResourceOptions } from '../metadata/options.ts';
import { checkCache } from './check-cache.ts';
import { checkChoice, checkOptionNames } from './check-options.ts';
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

const RESOURCE_OPTIONS: Readonly<Record<keyof ResourceOptions, true>> = {
  name: true,
  title: true,
  description: true,
  mimeType: true,
  annotations: true,
  size: true,
  icons: true,
  list: true,
  input: true,
  tags: true,
  cache: true,
  meta: true,
};
const ANNOTATIONS: Readonly<Record<keyof ResourceAnnotationOptions, true>> = {
  audience: true,
  priority: true,
  lastModified: true,
};
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
  const { options } = record;
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
  checkOptionNames(options, RESOURCE_OPTIONS, { where, of: '@Resource' }, problems);
  checkSchemas(options, ['input'], where, problems);
  if (options.cache !== undefined) checkCache(options.cache, { where, of: '`cache` of @Resource' }, problems);
  const { annotations } = options;
  if (annotations !== undefined) {
    checkOptionNames(annotations, ANNOTATIONS, { where, of: '`annotations` of @Resource' }, problems);
    for (const role of annotations.audience ?? []) {
      checkChoice(role, ['user', 'assistant'], 'annotations.audience', where, problems);
    }
  }
  for (const option of kind === 'template' ? OF_FIXED : OF_TEMPLATES) {
    if (options[option] === undefined) continue;
    problems.add('TW_SCAN_RESOURCE_OPTION', {
      where,
      what: `sets ${option}, which counts on ${kind === 'template' ? 'a fixed URI' : 'a template'} only.`,
      fix: `remove ${option}${kind === 'template' ? '' : ", or write a template: @Resource('…/{name}')"}`,
    });
  }
}
