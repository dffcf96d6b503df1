import { soundOptions } from '../../errors/option-errors.ts';
import type { ProblemList } from '../../errors/problem-list.ts';
import { RESOURCE_RULES } from '../../metadata/option-rules.ts';
import type { ResourceOptions } from '../../metadata/options.ts';
import { describeValue } from '../../shared/describe-value.ts';
import { parseUriTemplate, type UriTemplate } from '../../shared/uri-template.ts';
import { optionReport, checkSchemas } from '../check-options.ts';
import { checkName } from '../groups/names.ts';
import {
  declaredMembers,
  draftMethod,
  type DeclaredMember,
  type Controller,
  type MethodDraft,
} from '../members/declared-members.ts';

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

/** What a resource stands for. */
export type ResourceTarget =
  | { readonly kind: 'fixed'; readonly uri: string }
  /** `template` is undefined after reporting why there is none. */
  | { readonly kind: 'template'; readonly uri: string; readonly template: UriTemplate | undefined };

/** Reads the first argument of @Resource, which JavaScript may have called with anything. */
function readTarget(uri: unknown, where: string, problems: ProblemList): ResourceTarget {
  if (typeof uri === 'string' && /[{}]/.test(uri)) {
    return { kind: 'template', uri, template: readTemplate(uri, where, problems) };
  }
  if (typeof uri !== 'string' || !URL.canParse(uri)) reportUri(uri, where, problems);
  return { kind: 'fixed', uri: String(uri) };
}

/** Equal for templates that fit the same URIs because they differ in the names of variables only. */
export function templateShape(uriTemplate: string): string {
  return uriTemplate.replace(
    /\{([+#./]?)([\w.%,]+)\}/g,
    (_, operator: string, names: string) => `{${operator}${names.replace(/[^,]+/g, '')}}`,
  );
}

function readTemplate(uri: string, where: string, problems: ProblemList): UriTemplate | undefined {
  const report = (why: string, fix: string): void => {
    problems.add('TW_SCAN_TEMPLATE_INVALID', {
      where,
      what: `has the template "${uri}", which no URI could be matched with.`,
      why,
      fix,
    });
  };
  try {
    const template = parseUriTemplate(uri);
    if (!uri.startsWith('{') && !/^[a-z][a-z\d+.-]*[:{]/i.test(uri)) {
      report('it has no scheme.', `@Resource('docs://${uri.replace(/^\/+/, '')}')`);
    }
    return template;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    report(error.message, 'write a variable as {name}, and one that may contain slashes as {+name}');
    return undefined;
  }
}

function reportUri(uri: unknown, where: string, problems: ProblemList): void {
  const isText = typeof uri === 'string';
  problems.add('TW_SCAN_URI_INVALID', {
    where,
    what: isText ? `has the URI "${uri}", which is none.` : `has ${describeValue(uri)} for a URI.`,
    why: 'a URI is absolute: it begins with a scheme and a colon.',
    fix: `@Resource('docs://${(isText ? uri.replace(/^\W+/, '') : '') || 'readme'}')`,
  });
}
