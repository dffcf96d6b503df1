import type { Deprecation } from '../../call/action-options.ts';
import type { ProblemPlace } from '../../errors/problem-list.ts';
import { checkOptions, checkedLater, text, type OptionRules } from '../../shared/option-rules.ts';
import { describeValue } from '../../shared/describe-value.ts';
import { isPlainObject } from '../../shared/json.ts';
import { parse, lessThan } from '../../version/version.ts';
import { reportFaults } from '../check-options.ts';

/** The version options of groups and actions. */
export interface VersioningOptions {
  readonly version?: string | undefined;
  readonly deprecated?: Deprecation | undefined;
}

/** The version as it is shown, without a leading `v`; undefined for an invalid version. */
function readVersion(value: unknown): string | undefined {
  const version = typeof value === 'string' ? parse(value) : null;
  return version === null ? undefined : String(version);
}

/** The options that apply to an action: its own, or else those of its nearest group. */
export function readVersioning(innermostFirst: readonly VersioningOptions[]): {
  readonly version: string | undefined;
  readonly deprecated: Deprecation | undefined;
} {
  const { version } = innermostFirst.find((options) => options.version !== undefined) ?? {};
  const { deprecated } = innermostFirst.find((options) => options.deprecated !== undefined) ?? {};
  return { version: readVersion(version), deprecated: readDeprecation(deprecated) };
}

/** A frozen copy; undefined for an invalid deprecation, which is reported elsewhere. */
function readDeprecation(deprecated: Partial<Deprecation> | undefined): Deprecation | undefined {
  const since = readVersion(deprecated?.since);
  if (since === undefined) return undefined;
  const { use } = deprecated ?? {};
  const until = readVersion(deprecated?.until);
  return Object.freeze({
    since,
    ...(typeof use === 'string' ? { use } : {}),
    ...(until === undefined ? {} : { until }),
  });
}

const RULES: OptionRules<Deprecation> = { since: checkedLater, use: text, until: checkedLater };

/** Reports invalid versions and invalid deprecations. */
export function checkVersioning({ version, deprecated }: VersioningOptions, here: ProblemPlace): void {
  checkVersion(version, 'version', here);
  if (deprecated === undefined) return;
  if (!isPlainObject(deprecated)) {
    reportDeprecation('sets deprecated to something that is not an object.', here);
    return;
  }
  reportFaults(checkOptions(deprecated, RULES), '`deprecated`', here);
  const { since, until } = deprecated as Partial<Deprecation>;
  if (since === undefined) reportDeprecation('sets deprecated without since.', here);
  checkVersion(since, 'deprecated.since', here);
  checkVersion(until, 'deprecated.until', here);
  const [first, last] = [readVersion(since), readVersion(until)];
  if (first === undefined || last === undefined || lessThan(first, last)) return;
  reportDeprecation(`is deprecated since ${first} and gone in ${last}, which is not later.`, here);
}

function checkVersion(value: unknown, option: string, here: ProblemPlace): void {
  if (value === undefined || readVersion(value) !== undefined) return;
  here.add('TW_SCAN_VERSION_INVALID', {
    what: `sets ${option} to ${describeValue(value)}, which is not a semantic version.`,
    why: 'a version is three numbers, and a prerelease where there is one, as in 1.2.3-beta.1.',
    fix: `${option}: '1.0.0'`,
  });
}

function reportDeprecation(what: string, here: ProblemPlace): void {
  const fix =
    "deprecated: { since: '1.4.0', use: 'another-action', until: '2.0.0' }, where only since is needed";
  here.add('TW_SCAN_OPTION_VALUE', { what, fix });
}
