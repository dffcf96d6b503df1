import type { Deprecation } from '../../call/action-options.ts';
import { ProblemList } from '../../errors/problem-list.ts';
import type { WarningCode } from '../../errors/catalogue.ts';
import type { ScannedAction, ScannedTool } from '../../scanner/actions/scan-tools.ts';
import type { ObjectSchema } from '../../shared/json-schema.ts';
import type { SchemaSource } from '../../shared/schema-source.ts';
import {
  createInputContracts,
  type ContractCache,
  type InputContracts,
} from '../contracts/input-contracts.ts';
import { joinedRequiredFields, ownRequiredFields } from '../fields/field-list.ts';
import {
  findApart,
  findResultLength,
  listedParts,
  prepareFeatures,
  reservedArguments,
  type AnyCompileFacet,
} from '../feature-parts.ts';
import { freeDiscriminator } from './generate-schema.ts';
import { joinObjectSchemas } from './join-schemas.ts';
import { listTools } from './list-tools.ts';
import {
  flatName,
  isJsonSchema,
  type ActionFacts,
  type PreparedAction,
  type PreparedTool,
} from './prepared-tool.ts';
import { checkReserved, reservedSchema, type ReservedArgument } from './reserved-arguments.ts';
import { chooseLayout, layoutApart, reportLayout } from './tool-layout.ts';
import { groupsOf, visibleActions, withoutHiddenReplacement, type ToolFilter } from './tool-filter.ts';

/**
 * Computes all parts of a tool that need no instances: its contracts and its list entries.
 * @param filter the filter of the application, so that the tools it leaves are checked before anything is served
 */
export function prepareTool(
  declared: ScannedTool,
  contracts: ContractCache,
  problems: ProblemList,
  filter: ToolFilter = {},
  features: readonly AnyCompileFacet[] = [],
): PreparedTool {
  const notices = new ProblemList<WarningCode>();
  const made = declared.actions.map((action) =>
    prepareAction(declared, action, contracts, features, problems),
  );
  checkReserved(made, problems);
  const common = commonSchema(declared, contracts);
  const named = withFreeDiscriminator(declared, made, notices);
  const layout = layoutApart(named, made, (others) => {
    const chosen = chooseLayout(named, common, others);
    reportLayout(named, chosen, notices);
    return chosen;
  });
  const tool: ScannedTool = layout === 'flat' ? Object.freeze({ ...named, expose: 'flat' }) : named;
  const actions = layout === 'flat' ? made.map((action) => withExposedDeprecation(tool, action)) : made;
  const listed = listTools(tool, { common, actions, layout }, { problems, notices });
  const whole: PreparedTool = {
    scanned: tool,
    common,
    actions: Object.freeze(actions),
    listed,
    layout,
    notices: notices.problems,
    filtered: undefined,
  };
  const kept = visibleActions(actions, [filter], new Set());
  if (kept.length === 0 || kept.length === actions.length) return Object.freeze(whole);
  return Object.freeze({ ...whole, filtered: narrowTool(whole, kept, problems) });
}

/**
 * A prepared tool with only some of its actions. Schemas are merged and texts are written again; the contracts are
 * reused.
 */
export function narrowTool(
  tool: PreparedTool,
  kept: readonly PreparedAction[],
  problems: ProblemList,
): PreparedTool {
  const notices = new ProblemList<WarningCode>();
  const keptScanned = kept.map(({ scanned }) => scanned);
  const actions = kept.map((action) => withVisibleReplacement(tool.scanned, action, keptScanned));
  const scanned: ScannedTool = Object.freeze({
    ...tool.scanned,
    actions: Object.freeze(actions.map((action) => action.scanned)),
    groups: Object.freeze(groupsOf(tool.scanned, keptScanned)),
  });
  const { common, layout } = tool;
  const listed = listTools(scanned, { common, actions, layout }, { problems, notices });
  return Object.freeze({
    scanned,
    common,
    actions: Object.freeze(actions),
    listed,
    layout,
    notices: notices.problems,
    filtered: undefined,
  });
}

/**
 * The tool with another discriminator, where a JSON Schema has a field of its name: such a schema is usually that of
 * another system, so the field cannot be renamed. What the author names is kept, and the collision is a problem.
 */
export function withFreeDiscriminator(
  tool: ScannedTool,
  actions: readonly PreparedAction[],
  notices: ProblemList<WarningCode>,
): ScannedTool {
  const { discriminator, where } = tool;
  const declaring = actions.flatMap(({ contracts }) => contracts.owners.get(discriminator) ?? []);
  const isForeign = declaring.length > 0 && declaring.every(({ source }) => isJsonSchema(source));
  if (tool.hasOwnDiscriminator || tool.expose === 'flat' || !isForeign) return tool;
  const taken = new Set(
    actions.flatMap(({ contracts, facts }) => [
      ...contracts.owners.keys(),
      ...Object.keys(facts.own?.properties ?? {}),
    ]),
  );
  const free = freeDiscriminator(taken);
  notices.at(where).add('TW_NOTE_DISCRIMINATOR', {
    what: `has an input with a field "${discriminator}", so calls name their action in "${free}".`,
    why: 'the argument that names the action cannot have the name of a field.',
    fix: `nothing, or name it yourself: { discriminator: '${free}' }`,
  });
  return Object.freeze({ ...tool, discriminator: free });
}

/** The common schemas of an action: the tool's, then those of the groups, outermost first. */
export function commonSources(tool: ScannedTool, action: ScannedAction): readonly SchemaSource[] {
  const sources = tool.common === undefined ? action.groupCommon : [tool.common, ...action.groupCommon];
  // A group may name the common class of its parent again
  return [...new Set(sources)];
}

function prepareAction(
  tool: ScannedTool,
  scanned: ScannedAction,
  cache: ContractCache,
  features: readonly AnyCompileFacet[],
  problems: ProblemList,
): PreparedAction {
  const { output, where } = scanned;
  const contracts = createInputContracts(scanned, commonSources(tool, scanned), cache);
  const reserved = reservedArguments(scanned, features);
  const listed = listedParts(scanned, features);
  const isConfirmed = listed.confirm !== undefined;
  const facts = { ...actionFacts(tool, scanned, contracts, reserved, problems), isConfirmed };
  const contract = output === undefined ? undefined : cache.output(output, where);
  return Object.freeze({
    scanned,
    contracts,
    output: contract,
    reserved,
    listed,
    apart: findApart(scanned, features),
    resultLength: findResultLength(scanned, features),
    prepared: prepareFeatures({ scanned, output: contract }, features, problems),
    facts,
    requiredFields: ownRequiredFields(contracts.common[0]?.schema, joinedRequiredFields(facts.own)),
  });
}

function actionFacts(
  tool: ScannedTool,
  action: ScannedAction,
  { common, own }: InputContracts,
  reserved: readonly ReservedArgument[],
  problems: ProblemList,
): Omit<ActionFacts, 'isConfirmed'> {
  const ofGroups = tool.common === undefined ? common : common.slice(1);
  const schemas = [...ofGroups.map(({ schema }) => schema), own?.schema, reservedSchema(reserved)];
  const joined = joinObjectSchemas(schemas, action.where, problems);
  const { key, name, group, description, isDestructive, isReadOnly, isIdempotent, isOpenWorld } = action;
  return {
    key,
    name,
    group,
    description,
    own: joined?.schema,
    branches: joined?.branches,
    alternatives: own === undefined ? undefined : rootAlternatives(own.schema),
    list: joined?.list,
    deprecated: exposedDeprecation(tool, action),
    isDestructive,
    isReadOnly,
    isIdempotent,
    isOpenWorld,
  };
}

/** What the branches of a union at the root require beyond the root itself: `anyOf: [{ required: ['id'] }, …]`. */
function rootAlternatives({
  anyOf,
  oneOf,
  required: always = [],
}: ObjectSchema): ActionFacts['alternatives'] {
  const lists = (anyOf ?? oneOf ?? []).map(({ required = [] }) =>
    required.filter((name) => !always.includes(name)),
  );
  return lists.length > 1 && lists.every((list) => list.length > 0) ? lists : undefined;
}

/** The whole common schema, including names that actions declare again. */
function commonSchema({ common, where }: ScannedTool, contracts: ContractCache): ObjectSchema | undefined {
  return common === undefined
    ? undefined
    : contracts.input(common, { unknownFields: 'strict', where }).schema;
}

/** The action without a replacement that is hidden from its callers. */
function withVisibleReplacement(
  tool: ScannedTool,
  action: PreparedAction,
  visible: readonly ScannedAction[],
): PreparedAction {
  const scanned = withoutHiddenReplacement(action.scanned, visible);
  return scanned === action.scanned ? action : withExposedDeprecation(tool, { ...action, scanned });
}

export function withExposedDeprecation(tool: ScannedTool, action: PreparedAction): PreparedAction {
  const facts = { ...action.facts, deprecated: exposedDeprecation(tool, action.scanned) };
  return Object.freeze({ ...action, facts });
}

/** The deprecation as callers see it: with `expose: 'flat'` the replacement is named as a tool. */
function exposedDeprecation(
  { expose, prefix, separator }: ScannedTool,
  { deprecated }: ScannedAction,
): Deprecation | undefined {
  if (deprecated?.use === undefined || expose !== 'flat') return deprecated;
  return Object.freeze({ ...deprecated, use: flatName(prefix, deprecated.use, separator) });
}
