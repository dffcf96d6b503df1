import type { Deprecation } from '../call/action-options.ts';
import type { LogFunction, Logger } from '../call/logger.ts';
import { joinProblems } from '../errors/option-errors.ts';
import { ProblemList } from '../errors/problem-list.ts';
import type { RequiresOptions } from '../call/requirements.ts';
import { CALL_LIMIT_RULES, type CallLimits } from '../app/limit-options.ts';
import { TOOL_ACTION_RULES, type ToolAction } from '../app/tool-action.ts';
import { describeRule, HINT_RULES, unknownFieldsRule } from '../metadata/option-rules.ts';
import type { Describe, UnknownFields } from '../metadata/options.ts';
import { requiresRule } from '../scanner/requirements/read-requirement.ts';
import { reportFaults } from '../scanner/check-options.ts';
import { checkVersioning, type VersioningOptions } from '../scanner/actions/versioning.ts';
import {
  checkOptions,
  checkedLater,
  objectOf,
  text,
  texts,
  type OptionRules,
  loggerRule,
} from '../shared/option-rules.ts';

/** Options of `createTool()` and `new GroupedToolBuilder()`. */
export interface GroupedToolBuilderOptions {
  /** What happens to fields that no schema declares. Default: the registry's choice, else `strict`. */
  readonly unknownFields?: UnknownFields;
  /** The semantic version of actions without their own. */
  readonly version?: string;
  /** The default for actions without their own setting. */
  readonly deprecated?: Deprecation;
  /** How the tool describes its actions. Default `plain`. */
  readonly describe?: Describe;
  /** What callers of all its actions have to be, as with decorators on a class. Default: nothing. */
  readonly requires?: RequiresOptions;
  /** Limits of all its actions together, as with decorators on a class. Default: none. */
  readonly limits?: CallLimits;
  /** Receives every error that a handler throws in `execute()`. Default: warnings and errors on stderr. */
  readonly logger?: Logger | LogFunction;
}

export const TOOL_RULES: OptionRules<GroupedToolBuilderOptions> = {
  unknownFields: unknownFieldsRule,
  version: checkedLater,
  deprecated: checkedLater,
  describe: describeRule,
  requires: requiresRule,
  limits: objectOf(CALL_LIMIT_RULES),
  logger: loggerRule,
};

/** What the methods of builders take. */
const METHOD_RULES = {
  annotations: objectOf(HINT_RULES),
  description: text,
  tags: texts,
  unknownFields: unknownFieldsRule,
  timeout: TOOL_ACTION_RULES.timeout,
  requires: requiresRule,
  limits: objectOf(CALL_LIMIT_RULES),
};

/** @throws ToolwrightError for options that no action has, or values that an option does not accept. */
export function checkActionOptions(action: ToolAction, where: string): void {
  checkAll(action, TOOL_ACTION_RULES, where, 'an action');
}

/** @throws ToolwrightError for options that no tool has, or values that an option does not accept. */
export function checkToolOptions(options: GroupedToolBuilderOptions, where: string): void {
  checkAll(options, TOOL_RULES, where, 'createTool()');
}

/** @throws ToolwrightError for what a method of a builder does not take. */
export function checkArgument(method: keyof typeof METHOD_RULES, value: unknown, where: string): void {
  const problems = new ProblemList();
  // Not by checkOptions: here an explicit undefined is a fault
  reportFaults(METHOD_RULES[method].faultsOf(value, method), `${method}()`, problems.at(where));
  throwAny(problems);
}

function checkAll<Options extends VersioningOptions>(
  options: Options,
  rules: OptionRules<Options>,
  where: string,
  of: string,
): void {
  const problems = new ProblemList();
  const here = problems.at(where);
  reportFaults(checkOptions(options, rules), of, here);
  if (typeof options === 'object') checkVersioning(options, here);
  throwAny(problems);
}

function throwAny({ problems }: ProblemList): void {
  if (problems.length > 0) throw joinProblems(problems);
}
