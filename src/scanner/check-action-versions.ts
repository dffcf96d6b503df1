import type { ProblemList } from '../errors/problem-list.ts';
import { didYouMean } from '../shared/did-you-mean.ts';
import { compare } from '../version/version.ts';
import type { ScannedAction } from './scanned-tool.ts';

type Action = Pick<ScannedAction, 'key' | 'version' | 'deprecated' | 'where'>;

/** Reports what is wrong with the actions of a tool as a whole: a call could not tell them apart, or is sent astray. */
export function checkActionVersions(where: string, actions: readonly Action[], problems: ProblemList): void {
  // A version that could not be read is missing here, and has been reported.
  const isDoubtful = problems.problems.some(({ code }) => code === 'TW_SCAN_VERSION_INVALID');
  const byKey = new Map<string, Action[]>();
  for (const action of actions) {
    const others = byKey.get(action.key) ?? [];
    if (!isDoubtful) for (const other of others) checkPair(where, other, action, problems);
    byKey.set(action.key, [...others, action]);
  }
  for (const action of actions) checkReplacement(action, byKey, problems);
}

function checkPair(where: string, other: Action, action: Action, problems: ProblemList): void {
  const { key, version } = action;
  const both = `${other.where} and ${action.where}`;
  if (version === undefined && other.version === undefined) {
    problems.add('TW_SCAN_ACTION_DUPLICATE', {
      where,
      what: `has two actions with the key "${key}": ${both}.`,
      fix: `@Action({ name: '…' }) on one of them`,
    });
  } else if (version === undefined || other.version === undefined) {
    const plain = version === undefined ? action : other;
    problems.add('TW_SCAN_VERSION_MIXED', {
      where,
      what: `has two actions with the key "${key}", of which only one has a version: ${both}.`,
      why: 'versions of an action are told apart by their versions.',
      fix: `@Action({ version: '…' }) on ${plain.where}, or another name`,
    });
  } else if (compare(version, other.version) === 0) {
    problems.add('TW_SCAN_ACTION_DUPLICATE', {
      where,
      what: `has two actions with the key "${key}" and the version ${version}: ${both}.`,
      fix: `@Action({ version: '…' }) with another version on one of them, or another name`,
    });
  }
}

function checkReplacement(
  { key, version, deprecated, where }: Action,
  byKey: ReadonlyMap<string, readonly Action[]>,
  problems: ProblemList,
): void {
  const use = deprecated?.use;
  if (use === undefined) return;
  const found = byKey.get(use);
  if (found === undefined) {
    const keys = [...byKey.keys()];
    problems.add('TW_SCAN_REPLACEMENT_UNKNOWN', {
      where,
      what: `is deprecated in favour of "${use}", which is no action of the tool.`,
      fix: didYouMean(use, keys) ?? `use one of ${keys.join(', ')}`,
    });
  } else if (use === key && !hasNewer(found, version)) {
    problems.add('TW_SCAN_REPLACEMENT_UNKNOWN', {
      where,
      what: `is deprecated in favour of "${use}", which is itself, in no newer version.`,
      fix: `another action, or leave use out: deprecated: { since: '${deprecated?.since ?? ''}' }`,
    });
  }
}

/** True when one of the versions of an action comes after the given one. */
export function hasNewer(versions: readonly Pick<Action, 'version'>[], version: string | undefined): boolean {
  if (version === undefined) return false;
  return versions.some((other) => other.version !== undefined && compare(other.version, version) > 0);
}
