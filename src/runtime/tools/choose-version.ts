import type { CallToolResult } from '../../call/results.ts';
import { failureResult } from '../../call/result-helpers.ts';
import { describeReceived } from '../../call/issue.ts';
import { DEPRECATED_META_KEY, VERSION_META_KEY } from '../../call/action-options.ts';
import type { ActionDefinition, CompiledTool } from '../../compile/tools/compiled-tool.ts';
import { isPlainObject } from '../../shared/json.ts';
import { check, parseConstraint, type Constraint } from '../../version/constraint.ts';
import { InvalidConstraintError } from '../../version/version.ts';
import { resultOf, type Outcome } from '../outcome.ts';

/** Longer texts are no range that anybody wrote. */
const LONGEST_CONSTRAINT = 256;

/**
 * The version of an action that a call runs: the listed one unless the call asks for others, else the newest of the
 * action's versions in the range it asks for. A prerelease is only in a range that names one.
 * @param asked what the call says of versions, unchecked
 */
export function chooseVersion(
  tool: CompiledTool,
  listed: ActionDefinition,
  asked: unknown,
): ActionDefinition | CallToolResult {
  if (asked === undefined) return listed;
  if (typeof asked !== 'string' && !isPlainObject(asked)) {
    return constraintInvalid(
      tool,
      listed,
      'The versions of the call are neither a range nor an object',
      asked,
    );
  }
  const text = typeof asked === 'string' ? asked : rangeFor(listed.key, asked);
  if (text === undefined) return listed;
  const constraint = readConstraint(text);
  if (typeof constraint === 'string') return constraintInvalid(tool, listed, constraint, text);
  const versions = tool.versions?.get(listed.key) ?? [];
  const chosen = versions.find(({ version }) => version !== undefined && check(constraint, version));
  return chosen ?? versionUnavailable(tool, listed, constraint, versions);
}

function rangeFor(key: string, asked: Readonly<Record<string, unknown>>): unknown {
  return Object.hasOwn(asked, key) ? asked[key] : undefined;
}

/** The range, or what is wrong with it. */
function readConstraint(given: unknown): Constraint | string {
  if (typeof given === 'string' && given.length > LONGEST_CONSTRAINT) {
    return `A range of versions has at most ${String(LONGEST_CONSTRAINT)} characters`;
  }
  try {
    return parseConstraint(given as string);
  } catch (error) {
    if (error instanceof InvalidConstraintError) return `${error.where} is not a range of versions`;
    throw error;
  }
}

function constraintInvalid(
  tool: CompiledTool,
  { key }: ActionDefinition,
  message: string,
  received: unknown,
): CallToolResult {
  return failureResult({
    code: 'VERSION_CONSTRAINT_INVALID',
    message,
    tool: tool.name,
    action: key,
    expected: 'an npm range, such as ^1.2.0',
    received: describeReceived(received),
  });
}

function versionUnavailable(
  tool: CompiledTool,
  { key }: ActionDefinition,
  { raw }: Constraint,
  versions: readonly ActionDefinition[],
): CallToolResult {
  const availableVersions = versions.flatMap(({ version }) => (version === undefined ? [] : [version]));
  const message =
    availableVersions.length === 0 ? `${key} has no versions` : `${key} has no version in the range "${raw}"`;
  return failureResult({
    code: 'VERSION_UNAVAILABLE',
    message,
    tool: tool.name,
    action: key,
    availableVersions,
  });
}

type Versioned = Pick<ActionDefinition, 'version' | 'deprecated'>;

/** The outcome of an action, which says in its `_meta` which version ran, and that it is deprecated. */
export function addVersionMeta(outcome: Outcome, action: Versioned): Outcome {
  const { version, deprecated } = action;
  if (version === undefined && deprecated === undefined) return outcome;
  if (outcome.kind !== 'failure') return resultOf(withVersion(outcome.value as CallToolResult, action));
  return { ...outcome, result: outcome.result && withVersion(outcome.result, action) };
}

function withVersion(result: CallToolResult, { version, deprecated }: Versioned): CallToolResult {
  return {
    ...result,
    _meta: {
      ...result._meta,
      ...(version === undefined ? {} : { [VERSION_META_KEY]: version }),
      ...(deprecated === undefined ? {} : { [DEPRECATED_META_KEY]: deprecated }),
    },
  };
}
