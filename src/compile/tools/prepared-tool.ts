import { type Deprecation, VERSIONS_META_KEY } from '../../call/action-options.ts';
import type { Problem, ProblemList } from '../../errors/problem-list.ts';
import { publishedActions, versionsByKey } from '../../scanner/actions/action-versions.ts';
import type { ResultLimit, ScannedAction, ScannedTool } from '../../scanner/actions/scan-tools.ts';
import { REFUSED_AT_ROOT } from '../../schema/client-rules.ts';
import { dialectOf } from '../../schema/keywords.ts';
import { isClass } from '../../shared/class-type.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import type { Slots } from '../../shared/slots.ts';
import { safeName, shortenTo, type NameRule } from '../../shared/names.ts';
import { isStandardSchema, type SchemaSource } from '../../shared/schema-source.ts';
import type { ApartAction } from '../compile-facet.ts';
import type { OutputContract } from '../contracts/contract.ts';
import { allContracts, type InputContracts } from '../contracts/input-contracts.ts';
import type { FieldList } from '../fields/field-list.ts';
import type { TaggedBranch } from '../fields/tagged-branches.ts';
import type { CompiledToolDefinition, ListedAction } from './compiled-tool.ts';
import { joinObjectSchemas } from './join-schemas.ts';
import { withReserved, type ReservedArgument } from './reserved-arguments.ts';

/** A tool with everything computed that needs no instances. */
export interface PreparedTool {
  /** Its `actions` and `groups` are those that are left after a filter. */
  readonly scanned: ScannedTool;
  /** The fields of every action, those that actions declare again included. */
  readonly common: ObjectSchema | undefined;
  /** In registration order. */
  readonly actions: readonly PreparedAction[];
  /** One, or with flat exposition one per action. */
  readonly listed: readonly ListedTool[];
  /** How the actions of the whole tool are listed; the same for every caller. */
  readonly layout: ToolLayout;
  /** What is good to know of how it is listed. */
  readonly notices: readonly Problem[];
  /** The tool with only the actions that the application's filter leaves; undefined if it leaves all or none. */
  readonly filtered: PreparedTool | undefined;
}

/** A part of a tool that is listed as a tool of its own. */
export interface ToolPart {
  /** The name that it is listed by. */
  readonly name: string;
  /** Undefined where the name says it. */
  readonly title: string | undefined;
  /** The group that all of its actions are below; undefined where there is no such group. */
  readonly group: string | undefined;
  /** The keys of its actions. */
  readonly keys: ReadonlySet<string>;
  /** Whether each of its actions is a tool of its own. */
  readonly isFlat: boolean;
  /** Whether it is described as plain text, because signatures are too long and tools of their own would cost more. */
  readonly isPlain?: boolean;
}

/** How the actions of a tool are listed: as one tool, as one tool each, or as a tool for each part. */
export type ToolLayout = 'whole' | 'flat' | readonly ToolPart[];

export interface PreparedAction {
  readonly scanned: ScannedAction;
  readonly contracts: InputContracts;
  readonly output: OutputContract | undefined;
  /** The arguments that features reserve. */
  readonly reserved: readonly ReservedArgument[];
  /** What features say of it in the list of actions. */
  readonly listed: Partial<ListedAction>;
  /** What makes it a tool of its own on every surface; undefined where nothing does. */
  readonly apart: ApartAction | undefined;
  /** How many characters its author allows a result; undefined where the author says nothing of it. */
  readonly resultLength: number | undefined;
  /** What features prepared of it. */
  readonly prepared: Slots;
  readonly facts: ActionFacts;
  /** Required fields of its own schema. */
  readonly requiredFields: readonly string[];
}

/** A tool as clients see it, and its actions. */
export interface ListedTool {
  readonly definition: CompiledToolDefinition;
  /** Undefined where the tool is one action by itself. */
  readonly discriminator: string | undefined;
  readonly actions: readonly PreparedAction[];
  /** The actions that calls can reach: those listed, and their other versions. */
  readonly offered: readonly PreparedAction[];
}

/** The facts from which the list entry of a tool is made. */
export function factsOf(
  {
    name,
    where,
    description,
    mode,
    discriminator,
    groups,
    annotations,
    describe,
    maxDescription,
    defaults,
  }: ScannedTool,
  common: ObjectSchema | undefined,
  actions: readonly PreparedAction[],
): ToolFacts {
  const facts = actions.map((action) => action.facts);
  const known = { name, where, description, mode, discriminator, groups, annotations, describe };
  return { ...known, maxDescription, defaults, common, actions: facts };
}

/** {@link publishedActions} for prepared actions. */
export function publishedVersions(actions: readonly PreparedAction[]): readonly PreparedAction[] {
  const published = new Set(publishedActions(actions.map(({ scanned }) => scanned)));
  return actions.filter(({ scanned }) => published.has(scanned));
}

/** How messages name an action: by its key, and its version where it has one. */
export function labelOf({ key, version }: Pick<ScannedAction, 'key' | 'version'>): string {
  return version === undefined ? key : `${key} ${version}`;
}

/**
 * The `_meta` of a listed tool: its own, how long results may be where its client reads that, and the versions that a call
 * can ask for, newest first.
 */
export function listedMeta(
  { meta: own, resultLimit }: Pick<ScannedTool, 'meta' | 'resultLimit'>,
  offered: readonly PreparedAction[],
): Readonly<Record<string, unknown>> | undefined {
  const length = resultLimit === undefined ? undefined : raisedLength(resultLimit, offered);
  const meta = length === undefined ? own : { ...own, [resultLimit?.key ?? '']: length };
  const byKey = versionsByKey(offered.map(({ scanned }) => scanned));
  if (byKey.size === 0) return meta;
  const versions = [...byKey].map(([key, list]) => [key, list.map(({ version }) => version)] as const);
  return { ...meta, [VERSIONS_META_KEY]: Object.fromEntries(versions) };
}

/** How long results of a tool may be, for a client that would cut them; undefined where none may be longer than it reads. */
export function raisedLength(
  { over, max }: ResultLimit,
  offered: readonly Pick<PreparedAction, 'resultLength'>[],
): number | undefined {
  const longest = Math.max(0, ...offered.map(({ resultLength = 0 }) => resultLength));
  return longest > over ? Math.min(longest, max) : undefined;
}

type Described = 'key' | 'name' | 'group' | 'description';
type Marks = 'isDestructive' | 'isReadOnly' | 'isIdempotent' | 'isOpenWorld';

/** The facts about one action for the list: plain data, with its input as a JSON Schema. */
export interface ActionFacts extends Pick<ScannedAction, Described | Marks> {
  /** The action's own fields side by side, those of its sub-groups' common schemas included; not the tool's. */
  readonly own: ObjectSchema | undefined;
  /** The fields that only branches of tagged unions require; `own` cannot express this. */
  readonly branches?: readonly TaggedBranch[] | undefined;
  /** The fields of which one list has to be there, where no tag separates the branches. */
  readonly alternatives?: readonly (readonly string[])[] | undefined;
  /** The fields of `own`, where they are known. */
  readonly list?: FieldList | undefined;
  /** Whether each call is agreed to first. */
  readonly isConfirmed: boolean;
  /** As callers see it. */
  readonly deprecated?: Deprecation | undefined;
}

type Known =
  | 'name'
  | 'where'
  | 'description'
  | 'mode'
  | 'discriminator'
  | 'groups'
  | 'annotations'
  | 'describe'
  | 'maxDescription'
  | 'defaults';

/** The facts about one tool for the list. */
export interface ToolFacts extends Pick<ScannedTool, Known> {
  /** Fields of every action. */
  readonly common: ObjectSchema | undefined;
  /** In registration order. */
  readonly actions: readonly ActionFacts[];
}

/** The names that clients and the APIs of models accept (spec: server/tools, Tool Names). */
const NAMES: NameRule = { forbidden: /[^A-Za-z0-9_.-]/u, maxLength: 128 };

/** The name of an action that is a tool by itself: `books_find`, `office_rooms_book`; `find` without a prefix. */
export function flatName(prefix: string, actionKey: string, separator: string): string {
  const names = actionKey.split('.');
  return (prefix === '' ? names : [prefix, ...names]).join(separator);
}

const PART_LENGTH = 3;

/**
 * A name that is too long for clients of a surface: short parts in the middle, and a hash of the whole, so that it stays
 * another one than all others, and the same from start to start.
 */
export function shortenName(
  name: string,
  { separator, maxNameLength = Infinity }: Pick<ScannedTool, 'separator' | 'maxNameLength'>,
): string {
  if (name.length <= maxNameLength) return name;
  const parts = name.split(separator === '' ? '_' : separator);
  const middle = parts.slice(1, -1).map((part) => part.slice(0, PART_LENGTH));
  const short = [...parts.slice(0, 1), ...middle, ...parts.slice(1).slice(-1)].join(separator);
  return shortenTo(short, maxNameLength, name);
}

/**
 * Reports tool names that a model could not call, each with a name that it could. The actions of a grouped tool
 * are values of an argument, which may be any text.
 */
export function checkToolNames({ scanned, listed }: PreparedTool, problems: ProblemList): void {
  for (const { definition, actions } of listed) {
    const { name } = definition;
    const proposed = safeName(name, NAMES, name);
    if (proposed === name) continue;
    const isFlat = scanned.expose === 'flat' || name !== scanned.name;
    problems
      .at(isFlat ? (actions[0]?.scanned.where ?? scanned.where) : scanned.where)
      .add('TW_COMPILE_TOOL_NAME', {
        what: `would be listed as the tool ${JSON.stringify(name)}, which clients and models may refuse.`,
        why: 'the name of a tool consists of at most 128 letters from A to Z, digits, "_", "-" and ".".',
        fix: isFlat
          ? `rename the group, the action or the separator so that they make ${JSON.stringify(proposed)}`
          : `name it ${JSON.stringify(proposed)}`,
      });
  }
}

/** All that an action takes, as the schema of a tool of its own. */
export function inputOf(
  common: ObjectSchema | undefined,
  { scanned, contracts, reserved, facts }: PreparedAction,
  problems: ProblemList,
): ObjectSchema {
  const closed = writtenSchema(contracts) ?? withoutInput(contracts);
  return (
    (closed && withReserved(closed, reserved)) ??
    joinObjectSchemas([common, facts.own], scanned.where, problems)?.schema ??
    NOTHING
  );
}

/**
 * The input schema of an action whose arguments are described by one JSON Schema and nothing else, with every
 * keyword as it was written (spec 2026-07-28: server/tools, any keyword of 2020-12); else undefined. One that clients
 * refuse is flattened like others, unless the author names the dialect in `$schema`, and so asks for the text as it
 * stands; the check stays as it was written.
 */
export function writtenSchema({ common, own }: InputContracts): ObjectSchema | undefined {
  if (own === undefined || common.length > 0 || !isJsonSchema(own.source)) return undefined;
  const { $schema } = own.source;
  if ($schema !== undefined && dialectOf(own.source) === '2020-12')
    return Object.freeze({ $schema, ...own.schema });
  return REFUSED_AT_ROOT.some((keyword) => own.schema[keyword] !== undefined) ? undefined : own.schema;
}

const NOTHING: ObjectSchema = deepFreeze({
  type: 'object',
  properties: {},
  required: [],
  additionalProperties: false,
});

/**
 * The input schema of an action without input; else undefined. It forbids further fields explicitly, because clients
 * that need closed objects cannot distinguish it from an open one.
 */
function withoutInput(contracts: InputContracts): ObjectSchema | undefined {
  const isClosed = allContracts(contracts).every(
    ({ names, acceptsFurtherNames }) => names.length === 0 && !acceptsFurtherNames,
  );
  return isClosed ? NOTHING : undefined;
}

export function isJsonSchema(source: SchemaSource): source is JsonSchema {
  return !isStandardSchema(source) && !isClass(source);
}
