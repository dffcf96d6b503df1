import type { ScannedApplication } from '../../scanner/scan-application.ts';
import type { ScannedCallable } from '../../scanner/members/scanned-callable.ts';

/** Where no action names a scope. */
const ONLY = 'mcp';

/** The scopes that the actions of an application name: all of them, and those of what destroys nothing. */
export function listScopes(scanned: ScannedApplication | undefined): {
  readonly all: readonly string[];
  readonly safe: readonly string[];
} {
  const { tools = [], prompts = [], resources = [] } = scanned ?? {};
  const actions = tools.flatMap((tool) => tool.actions);
  const harmless = actions.filter(({ isDestructive }) => !isDestructive);
  const all = namesIn([...actions, ...prompts, ...resources]);
  if (all.length === 0) return { all: [ONLY], safe: [ONLY] };
  const safe = namesIn([...harmless, ...prompts, ...resources]);
  return { all, safe: safe.length === 0 ? all : safe };
}

function namesIn(callables: readonly ScannedCallable[]): readonly string[] {
  const names = callables.flatMap(({ requirements }) =>
    (requirements?.all ?? []).flatMap((each) => (each.kind === 'scopes' ? each.allOf.flat() : [])),
  );
  return [...new Set(names)].sort();
}
