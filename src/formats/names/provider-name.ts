import type { CanonicalTool } from '../canonical/canonical-tool.ts';
import { toolId } from '../canonical/ids.ts';
import { safeName, suffixed, type NameRule } from '../../shared/name-rule.ts';

/** The names of one target. */
export interface ProviderNames {
  readonly rule: NameRule;
  /** Whether a namespace goes in front of the name, unless an option says otherwise. */
  readonly qualifies: boolean;
}

/** What decides about a name. */
export interface NameOptions {
  readonly qualify?: boolean;
  readonly maxNameLength?: number;
  readonly hashName?: boolean;
}

/** The name before and after it was made to fit. */
export interface ProviderName {
  readonly joined: string;
  readonly safe: string;
}

/** The shortest name that has room for a hash, and for something before it. */
const SHORTEST = 10;

/** The name of a tool for a target, as if no other tool were there. */
export function providerName(tool: CanonicalTool, names: ProviderNames, options: NameOptions): ProviderName {
  const { namespace, name } = tool;
  const qualifies = (options.qualify ?? names.qualifies) && namespace !== undefined && namespace !== '';
  const joined = qualifies ? `${namespace}__${name}` : name;
  const maxLength = Math.max(SHORTEST, options.maxNameLength ?? names.rule.maxLength);
  const rule = { ...names.rule, maxLength };
  const id = toolId(tool);
  const safe = safeName(joined, rule, id);
  return { joined, safe: options.hashName === true ? suffixed(safe, rule, id) : safe };
}
