import type { Deprecation } from '../call/action-options.ts';
import { parse } from '../version/version.ts';

/** What groups and actions say of their versions. */
export interface VersioningOptions {
  readonly version?: string | undefined;
  readonly deprecated?: Deprecation | undefined;
}

/** The version as it is shown, without a `v` at its beginning; undefined for what is none. */
export function readVersion(value: unknown): string | undefined {
  const version = typeof value === 'string' ? parse(value) : null;
  return version === null ? undefined : String(version);
}

/** What counts for an action: what it says itself, else what the nearest of its groups says. */
export function readVersioning(innermostFirst: readonly VersioningOptions[]): {
  readonly version: string | undefined;
  readonly deprecated: Deprecation | undefined;
} {
  const { version } = innermostFirst.find((options) => options.version !== undefined) ?? {};
  const { deprecated } = innermostFirst.find((options) => options.deprecated !== undefined) ?? {};
  return { version: readVersion(version), deprecated: readDeprecation(deprecated) };
}

/** A frozen copy; undefined for what has been reported. */
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
