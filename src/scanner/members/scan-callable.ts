import type { ProblemList } from '../../errors/problem-list.ts';
import type { WarningCode } from '../../errors/catalogue.ts';
import type { PromptOptions, ResourceOptions } from '../../metadata/options.ts';
import { classChain, ownRecords, type MiddlewareRecord, type RecordOf } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import type { SchemaSource } from '../../shared/schema-source.ts';
import { groupName, type GroupPath } from '../groups/group-tree.ts';
import { warnOfDefault } from '../parameters/report-parameters.ts';
import { scanParameters } from '../parameters/scan-parameters.ts';
import { scanRequirements } from '../requirements/scan-requirements.ts';
import type { TokenSpace } from '../providers/token-lookup.ts';
import type { ScanOptions } from '../scan-options.ts';
import type { Controller, MethodDraft } from './declared-members.ts';
import { scanFeatures, type PlaceNames } from './feature-uses.ts';
import { outermostFirst, scanMiddleware } from './middleware.ts';
import type { MethodHandler, ScannedCallable, ScannedMiddleware, ScannedOffer } from './scanned-callable.ts';
import { userValues } from './user-values.ts';

/** What all methods of an application share. */
export interface CallableScene {
  readonly options: ScanOptions;
  readonly space: TokenSpace;
  readonly globalMiddleware: readonly ScannedMiddleware[];
  readonly placeNames: PlaceNames;
  readonly problems: ProblemList;
  /** Possible mistakes. */
  readonly warnings: ProblemList<WarningCode>;
}

/** The parts of a method that all roles share; `path` leads to its group, if any, and `commons` are above it. */
export function scanCallable(
  method: MethodDraft,
  path: GroupPath,
  commons: readonly SchemaSource[],
  scene: CallableScene,
): Omit<ScannedCallable, 'slots'> & { readonly handler: MethodHandler; readonly hasMiddleware: boolean } {
  const { options, space, globalMiddleware, problems, warnings } = scene;
  const { controller, member, where } = method;
  const { input, parameters } = scanParameters({ method, commons, space, problems });
  warnOfDefault(method, { input, parameters }, warnings);
  const holders = path.length === 0 ? [controller] : path.map((group) => group.controller);
  const nearest = path.findLast((group) => group.options.unknownFields !== undefined);
  const [ofTool = [], ...ofGroups] = classMiddleware(holders, scene);
  const around = { where, home: controller.home };
  const own = [...ofGroups.flat(), ...scanMiddleware(method.middleware, around, space, problems)];
  return {
    where,
    input,
    unknownFields:
      method.options.unknownFields ?? nearest?.options.unknownFields ?? options.unknownFields ?? 'strict',
    requirements: scanRequirements(method, path, scene),
    middleware: Object.freeze([...globalMiddleware, ...ofTool, ...own]),
    hasMiddleware: own.length > 0,
    handler: Object.freeze({ kind: 'method', controller: controller.key, member, parameters }),
    metadata: userValues(method, path),
  };
}

/** A prompt or resource as its class declares it. */
interface OfferDraft extends MethodDraft {
  readonly name: string;
  readonly options: PromptOptions | ResourceOptions;
}

/** What prompts and resources have in common. */
export function scanOffer(
  draft: OfferDraft,
  path: GroupPath,
  scene: CallableScene,
): Omit<ScannedOffer, 'completions'> {
  const { name, options } = draft;
  const { title, description, icons, meta } = options;
  const described = {
    name,
    group: groupName(path),
    title,
    description,
    icons,
    meta,
    tags: tagsOf(draft, path),
  };
  const { hasMiddleware: _ofActions, ...callable } = scanCallable(draft, path, [], scene);
  return { ...callable, ...described, slots: scanFeatures('readOffer', draft, path, scene) };
}

/** What @OpenWorld says: the method's over its class's over those of the groups above. */
export function worldsAround(
  { controller, member }: MethodDraft,
  path: GroupPath,
): readonly RecordOf<'openWorld'>[] {
  const found: RecordOf<'openWorld'>[] = [];
  const find = (start: Class, place: string | symbol | undefined): void => {
    for (const type of classChain(start))
      for (const record of ownRecords(type, 'openWorld')) if (record.member === place) found.push(record);
  };
  find(controller.type, member);
  find(controller.type, undefined);
  for (const group of path.toReversed()) find(group.type, undefined);
  return found;
}

/** The tags of the groups and its own, none twice. */
export function tagsOf({ options }: MethodDraft, path: GroupPath): readonly string[] {
  const inherited = path.flatMap((group) => group.options.tags ?? []);
  return Object.freeze([...new Set([...inherited, ...(options.tags ?? [])])]);
}

/** For each class, from the outside in. */
function classMiddleware(
  holders: readonly Controller[],
  { space, problems }: CallableScene,
): readonly (readonly ScannedMiddleware[])[] {
  // A group may extend its own parent; the middleware on that class runs once.
  const seen = new Set<MiddlewareRecord>();
  return holders.map(({ type, home }) =>
    [...classChain(type)].reverse().flatMap((owner) => {
      const records = ownRecords(owner, 'middleware').filter(
        (record) => record.member === undefined && !seen.has(record),
      );
      for (const record of records) seen.add(record);
      return scanMiddleware(outermostFirst(records), { where: type.name, home }, space, problems);
    }),
  );
}
