import type { ProblemList } from '../errors/problem-list.ts';
import type { MiddlewareRecord } from '../metadata/records.ts';
import { classChain, ownRecords } from '../metadata/record-store.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import type { ActionDraft } from './action-draft.ts';
import type { GroupNode } from './group-node.ts';
import { outermostFirst } from './read-actions.ts';
import { scanMiddleware } from './scan-middleware.ts';
import type { ScanOptions } from './scan-options.ts';
import { scanParameters } from './scan-parameters.ts';
import type { ScannedMiddleware } from './scanned-callable.ts';
import type { ScannedAction } from './scanned-tool.ts';
import type { TokenSpace } from './token-lookup.ts';
import { userValues } from './user-values.ts';

/** What all actions of an application share. */
export interface ActionScene {
  readonly options: ScanOptions;
  readonly space: TokenSpace;
  readonly globalMiddleware: readonly ScannedMiddleware[];
  readonly problems: ProblemList;
}

/** An action at one place: `path` leads from the tool's root to the group. */
export function scanAction(
  action: ActionDraft,
  path: readonly GroupNode[],
  scene: ActionScene,
): ScannedAction {
  const { space, problems } = scene;
  const { options, marks, where, name } = action;
  const commons = commonsOf(path);
  const signature = scanParameters({ action, commons, space, problems });
  const group = path.length > 1 ? groupPath(path) : undefined;
  const local = [...groupMiddleware(path, scene), ...ownMiddleware(action, scene)];
  return Object.freeze({
    key: group === undefined ? name : `${group}.${name}`,
    name,
    group,
    where,
    title: options.title,
    description: options.description,
    input: signature.input,
    groupCommon: Object.freeze(commonsOf(path.slice(1))),
    output: options.output,
    isDestructive: marks.has('destructive'),
    isReadOnly: marks.has('readOnly'),
    isIdempotent: marks.has('idempotent'),
    isOpenWorld: marks.has('openWorld') ? true : undefined,
    tags: Object.freeze([
      ...new Set([...path.flatMap((node) => node.options.tags ?? []), ...(options.tags ?? [])]),
    ]),
    unknownFields: unknownFieldsOf(action, path, scene.options),
    result: options.result ?? 'json',
    middleware: Object.freeze([...scene.globalMiddleware, ...local]),
    hasMiddleware: local.length > 0,
    handler: Object.freeze({
      kind: 'method',
      controller: action.controller.key,
      member: action.member,
      parameters: signature.parameters,
    }),
    metadata: userValues(action, path),
  });
}

/** The names below the tool, joined with dots. */
export function groupPath(path: readonly GroupNode[]): string {
  return path
    .slice(1)
    .map((group) => group.name)
    .join('.');
}

function commonsOf(path: readonly GroupNode[]): readonly SchemaSource[] {
  return path.map((group) => group.options.common).filter((common) => common !== undefined);
}

function unknownFieldsOf(
  action: ActionDraft,
  path: readonly GroupNode[],
  options: ScanOptions,
): ScannedAction['unknownFields'] {
  const nearest = path.findLast((group) => group.options.unknownFields !== undefined);
  return action.options.unknownFields ?? nearest?.options.unknownFields ?? options.unknownFields ?? 'strict';
}

function groupMiddleware(path: readonly GroupNode[], scene: ActionScene): readonly ScannedMiddleware[] {
  // A group may extend its own parent; what stands on that class runs once.
  const seen = new Set<MiddlewareRecord>();
  return path.flatMap(({ type, controller }) =>
    [...classChain(type)].reverse().flatMap((owner) => {
      const records = ownRecords(owner, 'middleware').filter(
        (record) => record.member === undefined && !seen.has(record),
      );
      for (const record of records) seen.add(record);
      const at = { where: type.name, home: controller.home };
      return scanMiddleware(outermostFirst(records), at, scene.space, scene.problems);
    }),
  );
}

function ownMiddleware(action: ActionDraft, scene: ActionScene): readonly ScannedMiddleware[] {
  const at = { where: action.where, home: action.controller.home };
  return scanMiddleware(action.middleware, at, scene.space, scene.problems);
}
