import type { ProblemList, ProblemPlace } from '../../errors/problem-list.ts';
import type { CacheOptions, ResourceAnnotationOptions, ResourceOptions } from '../../metadata/options.ts';
import type { Class } from '../../shared/class-type.ts';
import type { GroupPath } from '../groups/group-tree.ts';
import { scanOffer, type CallableScene } from '../members/scan-callable.ts';
import type { MethodHandler, ScannedOffer } from '../members/scanned-callable.ts';
import { scanCompletions } from '../scan-completions.ts';
import { scanList } from '../scan-list.ts';
import { RESOURCE_RULES } from '../../metadata/option-rules.ts';
import { describeValue } from '../../shared/describe-value.ts';
import { parseUriTemplate, type UriTemplate } from '../../shared/uri-template.ts';
import {
  declaredMembers,
  draftMethod,
  type Controller,
  type MethodDraft,
} from '../members/declared-members.ts';

/** A resource with a fixed URI or a template, resolved and checked: plain data without instances. */
export interface ScannedResource extends ScannedOffer {
  readonly kind: 'resource';
  readonly mimeType: string | undefined;
  readonly annotations: ResourceAnnotationOptions | undefined;
  /** In bytes; of fixed resources only. */
  readonly size: number | undefined;
  readonly cache: CacheOptions | undefined;
  readonly target:
    | { readonly kind: 'fixed'; readonly uri: string }
    /** RFC 6570; `variables` in order of appearance. */
    | { readonly kind: 'template'; readonly uriTemplate: string; readonly variables: readonly string[] };
  /** Lists the resources of a template: a method of the same class, called with the context. */
  readonly list: MethodHandler | undefined;
}

/** All resources in the order of the controllers; no two of them serve the same URIs. */
export function scanResources(
  drafts: readonly ResourceDraft[],
  paths: ReadonlyMap<Class, GroupPath>,
  scene: CallableScene,
): readonly ScannedResource[] {
  checkDuplicates(drafts, scene.problems);
  return Object.freeze(
    drafts.map((draft) => scanResource(draft, paths.get(draft.controller.type) ?? [], scene)),
  );
}

function scanResource(draft: ResourceDraft, path: GroupPath, scene: CallableScene): ScannedResource {
  const { mimeType, annotations, size, cache } = draft.options;
  const target = scanTarget(draft.target);
  const isTemplate = target.kind === 'template';
  const offer = scanOffer(draft, path, scene);
  const completed = { fields: variablesOf(draft), requirements: offer.requirements };
  return Object.freeze({
    ...offer,
    kind: 'resource',
    mimeType,
    annotations,
    size,
    cache,
    target,
    list: isTemplate ? scanList(draft, scene) : undefined,
    completions: isTemplate ? scanCompletions(draft, completed, scene) : [],
  });
}

/** Undefined after reporting that there is no template. */
function variablesOf({ target }: ResourceDraft): readonly string[] | undefined {
  return target.kind === 'template' ? target.template?.variables : [];
}

function scanTarget(target: ResourceTarget): ScannedResource['target'] {
  return Object.freeze(
    target.kind === 'fixed'
      ? target
      : { kind: 'template', uriTemplate: target.uri, variables: target.template?.variables ?? [] },
  );
}

function checkDuplicates(drafts: readonly ResourceDraft[], problems: ProblemList): void {
  const first = new Map<string, ResourceDraft>();
  for (const draft of drafts) {
    const { kind, uri } = draft.target;
    const key = kind === 'fixed' ? uri : templateShape(uri);
    const other = first.get(key);
    if (other === undefined) first.set(key, draft);
    else {
      const difference = other.target.uri === uri ? '' : `, whose "${other.target.uri}" fits the same URIs`;
      problems.at(draft.where).add('TW_SCAN_RESOURCE_DUPLICATE', {
        what: `serves "${uri}" beside ${other.where}${difference}.`,
        why: 'a client asks by URI, so one of the two would never be called.',
        fix: 'give one of them another URI, or remove it',
      });
    }
  }
}

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
  return declaredMembers(controller.type, 'resource').map((found) => {
    const method = draftMethod(controller, found, RESOURCE_RULES, problems);
    const here = problems.at(method.where);
    const target = readTarget(found.record.uri, here);
    checkResourceOptions(method.options, target, here);
    return { ...method, remaining: target.kind === 'template' ? 'variables' : 'nothing', target };
  });
}

function checkResourceOptions(options: ResourceOptions, { kind }: ResourceTarget, here: ProblemPlace): void {
  for (const option of kind === 'template' ? OF_FIXED : OF_TEMPLATES) {
    if (options[option] === undefined) continue;
    here.add('TW_SCAN_RESOURCE_OPTION', {
      what: `sets ${option}, which counts on ${kind === 'template' ? 'a fixed URI' : 'a template'} only.`,
      fix: `remove ${option}${kind === 'template' ? '' : ", or write a template: @Resource('…/{name}')"}`,
    });
  }
}

/** The fixed URI or the template of a resource. */
type ResourceTarget =
  | { readonly kind: 'fixed'; readonly uri: string }
  /** `template` is undefined after reporting why there is none. */
  | { readonly kind: 'template'; readonly uri: string; readonly template: UriTemplate | undefined };

/** Reads the first argument of @Resource, which can be any value in JavaScript. */
function readTarget(uri: unknown, here: ProblemPlace): ResourceTarget {
  if (typeof uri === 'string' && /[{}]/.test(uri)) {
    return { kind: 'template', uri, template: readTemplate(uri, here) };
  }
  if (typeof uri !== 'string' || !URL.canParse(uri)) reportUri(uri, here);
  return { kind: 'fixed', uri: String(uri) };
}

/** A text that is equal for templates that differ only in the names of variables. */
function templateShape(uriTemplate: string): string {
  return uriTemplate.replace(
    /\{([+#./]?)([\w.%,]+)\}/g,
    (_, operator: string, names: string) => `{${operator}${names.replace(/[^,]+/g, '')}}`,
  );
}

function readTemplate(uri: string, here: ProblemPlace): UriTemplate | undefined {
  const what = `has the template "${uri}", which no URI could be matched with.`;
  try {
    const template = parseUriTemplate(uri);
    if (!uri.startsWith('{') && !/^[a-z][a-z\d+.-]*[:{]/i.test(uri)) {
      const fix = `@Resource('docs://${uri.replace(/^\/+/, '')}')`;
      here.add('TW_SCAN_TEMPLATE_INVALID', { what, why: 'it has no scheme.', fix });
    }
    return template;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const fix = 'write a variable as {name}, and one that may contain slashes as {+name}';
    here.add('TW_SCAN_TEMPLATE_INVALID', { what, why: error.message, fix });
    return undefined;
  }
}

function reportUri(uri: unknown, here: ProblemPlace): void {
  const isText = typeof uri === 'string';
  here.add('TW_SCAN_URI_INVALID', {
    what: isText ? `has the URI "${uri}", which is none.` : `has ${describeValue(uri)} for a URI.`,
    why: 'a URI is absolute: it begins with a scheme and a colon.',
    fix: `@Resource('docs://${(isText ? uri.replace(/^\W+/, '') : '') || 'readme'}')`,
  });
}
