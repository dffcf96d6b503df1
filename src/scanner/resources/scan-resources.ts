import type { ProblemList } from '../../errors/problem-list.ts';
import type { CacheOptions, IconOptions, ResourceAnnotationOptions } from '../../metadata/options.ts';
import type { Class } from '../../shared/class-type.ts';
import { groupName, type GroupPath } from '../groups/group-tree.ts';
import type { ControllerDraft } from '../members/read-controllers.ts';
import { scanCallable, tagsOf, type CallableScene } from '../members/scan-callable.ts';
import type { ScannedCallable, ScannedHandler } from '../members/scanned-callable.ts';
import { scanCompletions, type ScannedCompletion } from '../scan-completions.ts';
import { scanList } from '../scan-list.ts';
import { templateShape, type ResourceDraft, type ResourceTarget } from './read-resources.ts';

/** A resource with a fixed URI or a template, resolved and checked: plain data without instances. */
export interface ScannedResource extends ScannedCallable {
  readonly kind: 'resource';
  readonly name: string;
  readonly group: string | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly mimeType: string | undefined;
  readonly annotations: ResourceAnnotationOptions | undefined;
  /** In bytes; of fixed resources only. */
  readonly size: number | undefined;
  readonly icons: readonly IconOptions[] | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly tags: readonly string[];
  readonly cache: CacheOptions | undefined;
  readonly target:
    | { readonly kind: 'fixed'; readonly uri: string }
    /** RFC 6570; `variables` in order of appearance. */
    | { readonly kind: 'template'; readonly uriTemplate: string; readonly variables: readonly string[] };
  /** Lists the resources of a template: a method of the same class, called with the context. */
  readonly list: Extract<ScannedHandler, { kind: 'method' }> | undefined;
  readonly completions: readonly ScannedCompletion[];
}

/** All resources in the order of the controllers; no two of them serve the same URIs. */
export function scanResources(
  controllers: readonly ControllerDraft[],
  paths: ReadonlyMap<Class, GroupPath>,
  scene: CallableScene,
): readonly ScannedResource[] {
  const drafts = controllers.flatMap(({ resources }) => resources);
  checkDuplicates(drafts, scene.problems);
  return Object.freeze(
    drafts.map((draft) => scanResource(draft, paths.get(draft.controller.type) ?? [], scene)),
  );
}

function scanResource(draft: ResourceDraft, path: GroupPath, scene: CallableScene): ScannedResource {
  const { options, name, target } = draft;
  const variables = target.kind === 'template' ? target.template?.variables : [];
  return Object.freeze({
    ...scanCallable(draft, path, [], scene),
    kind: 'resource',
    name,
    group: groupName(path),
    title: options.title,
    description: options.description,
    mimeType: options.mimeType,
    annotations: options.annotations,
    size: options.size,
    icons: options.icons,
    meta: options.meta,
    cache: options.cache,
    tags: tagsOf(draft, path),
    target: scanTarget(target),
    list: target.kind === 'template' ? scanList(draft, scene) : undefined,
    completions: target.kind === 'template' ? scanCompletions(draft, variables, scene.problems) : [],
  });
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
      problems.add('TW_SCAN_RESOURCE_DUPLICATE', {
        where: draft.where,
        what: `serves "${uri}" beside ${other.where}${difference}.`,
        why: 'a client asks by URI, so one of the two would never be called.',
        fix: 'give one of them another URI, or remove it',
      });
    }
  }
}
