import { ProblemList } from '../../errors/problem-list.ts';
import type { ToolAnnotationHints } from '../../metadata/options.ts';
import { isClass } from '../../shared/class-type.ts';
import { deepCopy, deepFreeze } from '../../shared/deep-freeze.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import { withoutUndefined } from '../../shared/json.ts';
import { isStandardSchema, type SchemaSource } from '../../shared/schema-source.ts';
import { allContracts, explainContracts, type InputContracts } from '../contracts/input-contracts.ts';
import type { ExplainedInput, ListedAction } from './compiled-tool.ts';
import { joinObjectSchemas } from './join-schemas.ts';
import type { ActionFacts, PreparedAction, ToolFacts } from './prepared-tool.ts';

/** What each action is by itself, with all that it takes. Their problems were reported when the tool was listed. */
export function describeActions(
  common: ObjectSchema | undefined,
  actions: readonly PreparedAction[],
): readonly ListedAction[] {
  return deepFreeze(
    actions.map((action) => {
      const { key, version, title, description, unknownFields } = action.scanned;
      return withoutUndefined({
        key,
        version,
        deprecated: action.facts.deprecated,
        title,
        description,
        inputSchema: inputOf(common, action, new ProblemList()),
        unknownFields,
        annotations: aggregateAnnotations({ actions: [action.facts], annotations: {} }),
      });
    }),
  );
}

/** All that an action takes, as the schema of a tool of its own. */
export function inputOf(
  common: ObjectSchema | undefined,
  { scanned, contracts, facts }: PreparedAction,
  problems: ProblemList,
): ObjectSchema {
  return (
    writtenSchema(contracts) ??
    withoutInput(contracts) ??
    joinObjectSchemas([common, facts.own], scanned.where, problems)?.schema ??
    NOTHING
  );
}

/** How the inputs of actions are checked. */
export function explainActions(tool: string, actions: readonly PreparedAction[]): readonly ExplainedInput[] {
  return Object.freeze(
    actions.map(({ scanned: { key }, contracts }) =>
      Object.freeze({ kind: 'action', tool, name: key, checks: explainContracts(contracts) } as const),
    ),
  );
}

/**
 * The input schema of an action whose arguments are described by one JSON Schema and nothing else, with every
 * keyword as it was written (spec 2026-07-28: server/tools, any keyword of 2020-12); else undefined.
 */
export function writtenSchema({ common, own }: InputContracts): ObjectSchema | undefined {
  if (own === undefined || common.length > 0 || !isJsonSchema(own.source)) return undefined;
  const { $schema } = own.source;
  return $schema === undefined ? own.schema : Object.freeze({ $schema, ...own.schema });
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

function isJsonSchema(source: SchemaSource): source is JsonSchema {
  return !isStandardSchema(source) && !isClass(source);
}

type Marks = Pick<ActionFacts, 'isDestructive' | 'isReadOnly' | 'isIdempotent' | 'isOpenWorld'>;

/** The hints of a tool with its actions: destructive if any may be, read-only or idempotent only if all are. */
export function aggregateAnnotations({
  actions,
  annotations: explicit,
}: Pick<ToolFacts, 'actions' | 'annotations'>): ToolAnnotationHints {
  const hints = new Map<string, unknown>([
    ['readOnlyHint', actions.length > 0 && actions.every((action) => action.isReadOnly)],
    ['destructiveHint', actions.some((action) => action.isDestructive)],
    ['idempotentHint', actions.length > 0 && actions.every((action) => action.isIdempotent)],
  ]);
  const openWorld = aggregateOpenWorld(actions);
  if (openWorld !== undefined) hints.set('openWorldHint', openWorld);
  for (const [hint, value] of Object.entries(explicit)) if (value !== undefined) hints.set(hint, value);
  return deepFreeze(deepCopy(Object.fromEntries(hints)));
}

function aggregateOpenWorld(actions: readonly Marks[]): boolean | undefined {
  if (actions.some((action) => action.isOpenWorld === true)) return true;
  if (actions.length > 0 && actions.every((action) => action.isOpenWorld === false)) return false;
  return undefined;
}
