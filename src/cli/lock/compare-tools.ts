import type { ListedAction } from '../../index.ts';
import { isSameJson } from '../../shared/canonical-json.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import type { SurfaceTool } from '../surface/surface.ts';
import { changeOf, RULES, type Change, type RuleName } from './changes.ts';
import { compareSchemas, compareText, type SchemaChange } from './compare-schemas.ts';
import { pairItems } from './pair-items.ts';

/** All that differs between two versions of one tool. */
export function compareTools(before: SurfaceTool, after: SurfaceTool): readonly Change[] {
  const owner = after.name;
  const hasActions = before.actions !== undefined && after.actions !== undefined;
  const hints = compareHints(owner, owner, before.annotations, after.annotations);
  return [
    ...(hasActions ? compareGrouped(before, after, hints.length > 0) : comparePlain(before, after)),
    ...hints,
    ...compareOutputs(owner, before.outputSchema, after.outputSchema),
    ...compareOffered(before, after),
    ...comparePresentation(before, after),
  ];
}

/** A tool of which nothing is known but its list entry. */
function comparePlain(before: SurfaceTool, after: SurfaceTool): readonly Change[] {
  const owner = after.name;
  const pair = { before: before.inputSchema, after: after.inputSchema, direction: 'input' } as const;
  return [
    ...compareSchemas(pair).map((change) => placeChange(owner, owner, change)),
    ...describe(owner, owner, before.description, after.description),
  ];
}

function compareGrouped(before: SurfaceTool, after: SurfaceTool, hintsDiffer: boolean): readonly Change[] {
  const owner = after.name;
  const [old, now] = [discriminatorOf(before), discriminatorOf(after)];
  const { kept, removed, added, renamed } = pairItems(before.actions ?? [], after.actions ?? [], {
    keyOf: ({ key }) => key,
    formOf: ({ inputSchema, description }) =>
      // What takes nothing looks like all else that takes nothing
      Object.keys(inputSchema.properties ?? {}).length > 0 ? inputSchema : { const: description },
  });
  const place = (key: string): string => (isAction(after) ? owner : `${owner}.${key}`);
  const fields = kept.flatMap(([from, to]) => compareActions(owner, place(to.key), from, to, hintsDiffer));
  // What the tool publishes is compared as a whole
  const isPublished = before.outputSchema !== undefined || after.outputSchema !== undefined;
  const outputs = isPublished
    ? []
    : kept.flatMap(([from, to]) => compareUnpublished(owner, place(to.key), from, to));
  return [
    ...compareDiscriminators(owner, old, now),
    ...removed.map(({ key }) => changeOf('action-removed', owner, place(key))),
    ...renamed.map(([from, to]) =>
      changeOf('action-renamed', owner, place(from.key), `"${to.key}" takes the same`),
    ),
    ...added.map(({ key }) => changeOf('action-added', owner, place(key))),
    ...joinCommon(owner, fields, kept.length),
    ...outputs,
    ...compareGroups(owner, before.groups, after.groups),
  ];
}

function compareDiscriminators(
  owner: string,
  old: string | undefined,
  now: string | undefined,
): readonly Change[] {
  if (old === now) return [];
  if (old === undefined || now === undefined) return [changeOf('exposition-changed', owner, owner)];
  return [changeOf('discriminator-renamed', owner, owner, `"${old}" is "${now}" now`)];
}

/** A tool without a discriminator is one action by itself. */
function isAction(tool: SurfaceTool): boolean {
  return discriminatorOf(tool) === undefined;
}

/** The property that lists exactly the keys of the actions. */
function discriminatorOf({ inputSchema, actions = [] }: SurfaceTool): string | undefined {
  const keys = actions.map(({ key }) => key);
  const entries = Object.entries(inputSchema.properties ?? {});
  return entries.find(([, schema]) => isSameJson(schema.enum ?? [schema.const], keys))?.[0];
}

function compareActions(
  owner: string,
  place: string,
  before: ListedAction,
  after: ListedAction,
  hintsDiffer: boolean,
): readonly Change[] {
  const refusesUnknown = after.unknownFields === 'strict';
  const schemas = { before: before.inputSchema, after: after.inputSchema };
  const fields = compareSchemas({ ...schemas, direction: 'input', refusesUnknown });
  const hints = hintsDiffer ? [] : compareHints(owner, place, before.annotations, after.annotations);
  return [
    ...fields.map((change) => placeChange(owner, place, change)),
    ...compareUnknown(owner, place, before, after),
    ...describe(owner, place, before.description, after.description),
    ...compareVersions(owner, place, before, after),
    ...compareConsents(owner, place, before.confirm, after.confirm),
    ...hints,
  ];
}

/** Clients were never told of the schema, but models and those who read results have seen what it describes. */
function compareUnpublished(
  owner: string,
  place: string,
  { outputSchema: before }: ListedAction,
  { outputSchema: after }: ListedAction,
): readonly Change[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined || after === undefined) {
    const what = before === undefined ? 'it declares an output' : 'it declares no output any more';
    const rule = before === undefined ? 'unpublished-output-changed' : 'unpublished-output-broken';
    return [changeOf(rule, owner, `${place} ->`, what)];
  }
  return compareSchemas({ before, after, direction: 'output' }).map(({ path, rule, what }) => {
    const isSafe = RULES[rule].level === 'safe';
    const { title } = RULES[rule];
    return changeOf(
      isSafe ? 'unpublished-output-changed' : 'unpublished-output-broken',
      owner,
      path === '' ? `${place} ->` : `${place} -> ${path}`,
      what === undefined ? title : `${title}: ${what}`,
    );
  });
}

function compareUnknown(
  owner: string,
  place: string,
  { unknownFields: old }: ListedAction,
  { unknownFields: now }: ListedAction,
): readonly Change[] {
  if (old === now) return [];
  return now === 'strict'
    ? [changeOf('unknown-fields-refused', owner, place)]
    : [changeOf('unknown-fields-accepted', owner, place)];
}

function compareVersions(
  owner: string,
  place: string,
  before: ListedAction,
  after: ListedAction,
): readonly Change[] {
  const changes: Change[] = [];
  const add = (rule: RuleName, message?: string): number =>
    changes.push(changeOf(rule, owner, place, message));
  if (before.version !== after.version)
    add(
      'action-version-changed',
      `${before.version ?? 'no version'} was listed, ${after.version ?? 'no version'} is`,
    );
  if (before.deprecated === undefined && after.deprecated !== undefined) add('action-deprecated');
  if (before.deprecated !== undefined && after.deprecated === undefined) add('action-not-deprecated');
  return changes;
}

/** The versions of actions that a call can ask for; the list of tools names them in `_meta`. */
function compareOffered(before: SurfaceTool, after: SurfaceTool): readonly Change[] {
  const [old, now] = [versionsOf(before), versionsOf(after)];
  const owner = after.name;
  return [...old].flatMap(([key, versions]) => {
    const left = now.get(key);
    // An action that is gone, or has no versions any more, is a change of its own
    if (left === undefined) return [];
    const place = `${owner}.${key}`;
    return [
      ...versions
        .filter((version) => !left.includes(version))
        .map((version) => changeOf('action-version-removed', owner, place, version)),
      ...left
        .filter((version) => !versions.includes(version))
        .map((version) => changeOf('action-version-added', owner, place, version)),
    ];
  });
}

/** The member of `_meta` with the versions of each action. */
const VERSIONS = 'toolwright/versions';

function versionsOf({ _meta: meta = {} }: SurfaceTool): ReadonlyMap<string, readonly string[]> {
  return new Map(Object.entries((meta[VERSIONS] ?? {}) as Readonly<Record<string, string[]>>));
}

/** A change that all actions share is one of the fields that they share, and is named once. */
function joinCommon(owner: string, changes: readonly Change[], actions: number): readonly Change[] {
  if (actions < 2) return changes;
  const fieldOf = ({ where }: Change): string => where.slice(where.indexOf('('));
  const alike = new Map<string, Change[]>();
  for (const change of changes) {
    const key = JSON.stringify([change.rule, fieldOf(change), change.message]);
    alike.set(key, [...(alike.get(key) ?? []), change]);
  }
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length < 2 || !first.where.includes('(')) return group;
    const keys = group.map(({ where }) => where.slice(owner.length + 1, where.indexOf('(')));
    const field = fieldOf(first);
    return [{ ...first, where: `${owner}.*${field}`, message: `${first.message} (${keys.join(', ')})` }];
  });
}

function compareGroups(
  owner: string,
  before: SurfaceTool['groups'] = {},
  after: SurfaceTool['groups'] = {},
): readonly Change[] {
  const paths = Object.keys(after).filter((path) => Object.hasOwn(before, path));
  return paths.flatMap((path) =>
    describe(owner, path === '' ? owner : `${owner}.${path}`, before[path], after[path]),
  );
}

function compareOutputs(
  owner: string,
  before: JsonSchema | undefined,
  after: JsonSchema | undefined,
): readonly Change[] {
  const place = `${owner} ->`;
  if (before === undefined && after === undefined) return [];
  if (after === undefined) return [changeOf('output-removed', owner, place)];
  if (before === undefined) return [changeOf('output-added', owner, place)];
  return compareSchemas({ before, after, direction: 'output' }).map(({ path, rule, what }) =>
    changeOf(rule, owner, path === '' ? place : `${place} ${path}`, what),
  );
}

const HINTS = [
  ['readOnlyHint', 'read-only-withdrawn', 'read-only-added'],
  ['destructiveHint', 'destructive-withdrawn', 'destructive-added'],
  ['idempotentHint', 'idempotent-withdrawn', 'idempotent-added'],
  ['openWorldHint', 'open-world-changed', 'open-world-changed'],
] as const;

/** What hosts act on, such as asking a person before something destructive. */
function compareHints(
  owner: string,
  place: string,
  before: SurfaceTool['annotations'] = {},
  after: SurfaceTool['annotations'] = {},
): readonly Change[] {
  return HINTS.flatMap(([hint, withdrawn, added]) => {
    if (before[hint] === after[hint]) return [];
    const [was, is] = [before, after].map((hints) => String(hints[hint] ?? 'not given'));
    const message = `its \`${hint}\` was ${was}, and is ${is}`;
    // Without it clients had to guess, and what they do now is right
    const isSaid = hint === 'openWorldHint' && before[hint] === undefined;
    const rule = after[hint] === true ? added : withdrawn;
    return [changeOf(isSaid ? 'open-world-said' : rule, owner, place, message)];
  });
}

/** From none to the one that proves most. */
const CONSENTS: readonly ListedAction['confirm'][] = [undefined, 'twice', true, 'url'];

function compareConsents(
  owner: string,
  place: string,
  before: ListedAction['confirm'],
  after: ListedAction['confirm'],
): readonly Change[] {
  if (before === after) return [];
  const isWeaker = CONSENTS.indexOf(after) < CONSENTS.indexOf(before);
  const [was, is] = [before, after].map((confirm) => String(confirm ?? 'not given'));
  const message = `its \`confirm\` was ${was}, and is ${is}`;
  return [changeOf(isWeaker ? 'consent-weakened' : 'consent-added', owner, place, message)];
}

function comparePresentation(before: SurfaceTool, after: SurfaceTool): readonly Change[] {
  const isSame = (['title', 'icons', '_meta', 'execution'] as const).every((key) =>
    isSameJson(before[key], after[key]),
  );
  return isSame ? [] : [changeOf('presentation-changed', after.name, after.name)];
}

/** The change of a text, if it is one. */
export function describe(
  owner: string,
  place: string,
  before: string | undefined,
  after: string | undefined,
): readonly Change[] {
  const rule = compareText(before, after);
  return rule === undefined ? [] : [changeOf(rule, owner, place)];
}

function placeChange(owner: string, place: string, { rule, path, what }: SchemaChange): Change {
  return changeOf(rule, owner, path === '' ? place : `${place}(${path})`, what);
}
