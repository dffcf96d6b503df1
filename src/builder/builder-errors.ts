import { ToolwrightError } from '../errors/toolwright-error.ts';
import { describeValue } from '../shared/describe-value.ts';
import { isBlankName } from '../shared/names.ts';

const FLAT_OR_HIERARCHICAL =
  'Use .action() for a flat tool whose keys are plain names, and .group() for a hierarchical tool whose keys are written group.action.';

export function frozenBuilder(name: string): ToolwrightError {
  return new ToolwrightError('TW_BUILDER_FROZEN', {
    where: `builder "${name}"`,
    what: 'is frozen.',
    fix: 'make the change before buildToolDefinition(), execute() or registration',
    message: `Builder "${name}" is frozen after buildToolDefinition(). Cannot modify a built tool.`,
  });
}

export function mixedModes(name: string, offender: 'action' | 'group'): ToolwrightError {
  const [first, second] = offender === 'action' ? ['action', 'group'] : ['group', 'action'];
  return new ToolwrightError('TW_BUILDER_MODE_MIXED', {
    where: `builder "${name}"`,
    what: 'has actions of its own and groups.',
    fix: FLAT_OR_HIERARCHICAL,
    message: `Cannot use .${first}() and .${second}() on the same builder "${name}". ${FLAT_OR_HIERARCHICAL}`,
  });
}

/** @throws ToolwrightError for a name that is empty or blank, or that a compound key could not carry. */
export function checkName(
  kind: 'tool' | 'group' | 'action' | 'discriminator',
  name: unknown,
  where: string,
): void {
  const isText = typeof name === 'string' && name !== '';
  const isBlank = isText && isBlankName(name);
  if (isText && !isBlank && (kind === 'discriminator' || !name.includes('.'))) return;
  throw new ToolwrightError('TW_BUILDER_NAME_INVALID', {
    where,
    what: `has ${kind === 'action' ? 'an' : 'a'} ${kind} name that cannot be used: ${describeValue(name)}.`,
    why: isBlank
      ? 'models repeat what they read, and nothing shows white space at its ends, a line break or a blank name.'
      : isText
        ? 'dots are kept for compound keys such as group.action.'
        : 'a name is a non-empty string.',
    fix: `give the ${kind} a non-empty name without a dot`,
  });
}

export function duplicateAction(name: string, key: string, version: string | undefined): ToolwrightError {
  return new ToolwrightError('TW_BUILDER_ACTION_DUPLICATE', {
    where: `builder "${name}"`,
    what: `has two actions with the key "${key}"${version === undefined ? '' : ` and the version ${version}`}.`,
    why: 'a call is routed by its key, so the later handler would silently replace the earlier one.',
    fix: 'rename one of the two',
  });
}

export function mixedVersions(name: string, key: string): ToolwrightError {
  return new ToolwrightError('TW_SCAN_VERSION_MIXED', {
    where: `builder "${name}"`,
    what: `has two actions with the key "${key}", of which only one has a version.`,
    why: 'the versions of an action differ by version only.',
    fix: 'give both a version, or rename one of the two',
  });
}

export function invalidAction(name: string, key: string, what: string, fix: string): ToolwrightError {
  return new ToolwrightError('TW_BUILDER_ACTION_INVALID', {
    where: `action "${key}" of builder "${name}"`,
    what,
    fix,
  });
}

export function emptyBuilder(name: string): ToolwrightError {
  return new ToolwrightError('TW_BUILDER_EMPTY', {
    where: `builder "${name}"`,
    what: 'has no action.',
    why: 'a tool without actions could be listed but never called.',
    fix: '.action({ name, handler }), or .group(name, (group) => group.action({ name, handler }))',
  });
}

export function missingCallback(name: string, group: string): ToolwrightError {
  return new ToolwrightError('TW_BUILDER_ACTION_INVALID', {
    where: `group "${group}" of builder "${name}"`,
    what: 'has no callback that adds its actions.',
    fix: '.group(name, (group) => group.action({ name, handler }))',
  });
}

export function asyncCallback(name: string, group: string, outcome: PromiseLike<unknown>): ToolwrightError {
  // Nothing else awaits it, and an unhandled rejection would end the process
  outcome.then(undefined, () => undefined);
  return new ToolwrightError('TW_BUILDER_ACTION_INVALID', {
    where: `group "${group}" of builder "${name}"`,
    what: 'has a callback that returns a promise.',
    why: 'what is added after an await comes too late: the tool may be built by then.',
    fix: `await what the actions need first, then .group('${group}', (group) => group.action({ name, handler }))`,
  });
}
