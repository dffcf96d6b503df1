import { ProblemList } from '../errors/problem-list.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { checkActionVersions } from '../scanner/check-action-versions.ts';
import { checkChoice, checkOptionNames, checkTask } from '../scanner/check-options.ts';
import { checkVersioning } from '../scanner/check-versioning.ts';
import type { VersioningOptions } from '../scanner/read-version.ts';
import type { ScannedAction } from '../scanner/scanned-tool.ts';
import type { ToolAction } from './tool-action.ts';

const ACTION_OPTIONS: Readonly<Record<keyof ToolAction, true>> = {
  name: true,
  handler: true,
  title: true,
  description: true,
  schema: true,
  output: true,
  destructive: true,
  idempotent: true,
  readOnly: true,
  openWorld: true,
  middleware: true,
  tags: true,
  unknownFields: true,
  result: true,
  task: true,
  version: true,
  deprecated: true,
};

/** @throws ToolwrightError for an option that no action has, or a value that an option does not accept. */
export function checkActionOptions(action: ToolAction, where: string): void {
  const problems = new ProblemList();
  checkOptionNames(action, ACTION_OPTIONS, { where, of: 'an action' }, problems);
  checkChoice(action.result, ['json', 'toon', 'text'], 'result', where, problems);
  checkTask(action.task, where, problems);
  checkVersioning(action, where, problems);
  checkUnknownFields(action.unknownFields, where, problems);
  throwFirst(problems);
}

/** @throws ToolwrightError for a version that is none, or a deprecation that says nothing. */
export function checkVersions(options: VersioningOptions, where: string): void {
  const problems = new ProblemList();
  checkVersioning(options, where, problems);
  throwFirst(problems);
}

/** @throws ToolwrightError for actions that a call could not tell apart, or that name no replacement. */
export function checkActions(actions: readonly ScannedAction[], where: string): void {
  const problems = new ProblemList();
  checkActionVersions(where, actions, problems);
  throwFirst(problems);
}

/** @throws ToolwrightError for a mode that does not exist. */
export function checkMode(mode: unknown, where: string): void {
  const problems = new ProblemList();
  checkUnknownFields(mode, where, problems);
  throwFirst(problems);
}

function checkUnknownFields(mode: unknown, where: string, problems: ProblemList): void {
  checkChoice(mode, ['strict', 'strip'], 'unknownFields', where, problems);
}

function throwFirst({ problems: [first] }: ProblemList): void {
  if (first !== undefined) throw new ToolwrightError(first.code, first);
}
