import type {
  PolicyFunction,
  PolicyObject,
  RequirementOptions,
  RequiresOptions,
} from '../../call/requirements.ts';
import type { ProblemList } from '../../errors/problem-list.ts';
import type { DeclaredRequirement } from '../../metadata/records.ts';
import { isClass, type Class } from '../../shared/class-type.ts';
import { describeValue } from '../../shared/describe-value.ts';
import { isObject, isPlainObject } from '../../shared/json.ts';
import {
  checkOptions,
  either,
  filledText,
  listOf,
  objectOf,
  oneOf,
  rule,
  texts,
  trueOrFalse,
  type OptionRules,
} from '../../shared/option-rules.ts';
import { reportFaults, reportUndefined } from '../check-options.ts';
import type { ModuleNode } from '../modules/scan-modules.ts';
import { findProvider, type TokenSpace } from '../providers/token-lookup.ts';
import {
  PUBLIC,
  type ScannedPolicy,
  type ScannedRequirement,
  type ScannedRequirements,
} from './scanned-requirements.ts';

/** Where a requirement is declared, and the module in which its policy is looked up. */
export interface RequirementPlace {
  readonly where: string;
  readonly home: ModuleNode;
}

export interface RequirementScene {
  readonly space: TokenSpace;
  readonly problems: ProblemList;
}

/** RFC 6749, 3.3: a scope is printable ASCII without blanks, quotes and backslashes. */
const scope = rule(
  'a scope: printable ASCII without blanks, quotes and backslashes',
  (value) => typeof value === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value),
);
const filled = rule('a list that is not empty', (value) => !Array.isArray(value) || value.length > 0);
const scopeRule = either(scope, listOf(scope, 'a list of scopes, of which one is enough'));

const SCOPE_OPTIONS: OptionRules<RequirementOptions> = { denied: oneOf('hide', 'challenge', 'refuse') };
const OTHER_OPTIONS: OptionRules<RequirementOptions> = { denied: oneOf('hide', 'refuse') };

/** The option `requires` of the plain API. */
export const requiresRule = objectOf<RequiresOptions>({
  scopes: listOf(scopeRule),
  roles: texts,
  policy: rule(
    'a function (caller, input, context) => boolean, or an object with list or call',
    (value) => objectPolicy(value) !== undefined,
  ),
  public: trueOrFalse,
  authenticated: trueOrFalse,
  denied: oneOf('hide', 'challenge', 'refuse'),
});

/** What an action of the plain API requires; undefined where nothing is said. */
export function readRequires(requires: RequiresOptions | undefined): ScannedRequirements | undefined {
  if (requires === undefined) return undefined;
  const { scopes = [], roles = [], policy, authenticated, denied } = requires;
  const ofOthers = denied === 'challenge' ? undefined : denied;
  const made = policy === undefined ? undefined : objectPolicy(policy);
  const allOf = scopes.map((given) => Object.freeze([given].flat()));
  const anyOf = Object.freeze([...roles]);
  const all: readonly ScannedRequirement[] = [
    ...(authenticated === true ? [AUTHENTICATED] : []),
    ...(allOf.length === 0 ? [] : [{ kind: 'scopes', allOf: Object.freeze(allOf), denied } as const]),
    ...(anyOf.length === 0 ? [] : [{ kind: 'roles', anyOf, denied: ofOthers } as const]),
    ...(made === undefined ? [] : [{ kind: 'policy', policy: made, denied: ofOthers } as const]),
  ];
  if (all.length > 0) return Object.freeze({ isPublic: false, all: Object.freeze(all) });
  return requires.public === true ? PUBLIC : undefined;
}

/** What an action requires with the groups around it, outermost first; one that is public lifts what they require. */
export function joinRequirements(
  declared: readonly (ScannedRequirements | undefined)[],
): ScannedRequirements | undefined {
  const own = declared.at(-1);
  const all = declared.flatMap((each) => each?.all ?? []);
  if (own?.isPublic !== true && all.length > 0) {
    return Object.freeze({ isPublic: false, all: Object.freeze(all) });
  }
  return declared.find((each) => each?.isPublic);
}

/** What one decorator requires; undefined where it is wrong, which is reported. */
export function readRequirement(
  requirement: DeclaredRequirement,
  at: RequirementPlace,
  scene: RequirementScene,
): ScannedRequirement | undefined {
  if (!('given' in requirement)) return AUTHENTICATED;
  const { given, kind } = requirement;
  if (kind === 'policy') return readPolicy(given, at, scene);
  const last = given.at(-1);
  const options = isPlainObject(last) ? (last as RequirementOptions) : {};
  const values = isPlainObject(last) ? given.slice(0, -1) : given;
  const isRead =
    kind === 'scopes'
      ? areSound(values, '@Scopes', scopeRule, options, SCOPE_OPTIONS, at, scene)
      : areSound(values, '@Roles', filledText, options, OTHER_OPTIONS, at, scene);
  if (!isRead) return undefined;
  const { denied } = options;
  if (kind === 'roles') {
    return Object.freeze({ kind, anyOf: Object.freeze([...values] as string[]), denied });
  }
  const allOf = values.map((value) => Object.freeze([value].flat() as string[]));
  return Object.freeze({ kind, allOf: Object.freeze(allOf), denied });
}

const AUTHENTICATED: ScannedRequirement = Object.freeze({ kind: 'authenticated' });

function areSound(
  values: readonly unknown[],
  name: '@Scopes' | '@Roles',
  item: typeof scopeRule,
  options: RequirementOptions,
  rules: OptionRules<RequirementOptions>,
  { where }: RequirementPlace,
  { problems }: RequirementScene,
): boolean {
  const nested = values.flatMap((value, index) => filled.faultsOf(value, `${name}[${String(index)}]`));
  const faults = [
    ...filled.faultsOf(values, name),
    ...listOf(item).faultsOf(values, name),
    ...nested,
    ...checkOptions(options, rules),
  ];
  reportFaults(faults, name, problems.at(where));
  return faults.length === 0;
}

function readPolicy(
  [given, options = {}]: readonly unknown[],
  at: RequirementPlace,
  scene: RequirementScene,
): ScannedRequirement | undefined {
  const here = scene.problems.at(at.where);
  const faults = checkOptions(options, OTHER_OPTIONS);
  reportFaults(faults, '@Policy', here);
  const policy = scanPolicy(given, at, scene);
  if (policy === undefined || faults.length > 0) return undefined;
  return Object.freeze({ kind: 'policy', policy, denied: (options as RequirementOptions).denied });
}

/** A policy in the one form that compile knows; undefined for what is none, which is reported. */
function scanPolicy(
  given: unknown,
  at: RequirementPlace,
  { space, problems }: RequirementScene,
): ScannedPolicy | undefined {
  const here = problems.at(at.where);
  if (given === undefined) {
    reportUndefined('a policy', 'break the import circle, or move the policy to a file of its own', here);
    return undefined;
  }
  const made = objectPolicy(given);
  if (made !== undefined) return made;
  if (!isPolicyClass(given)) {
    here.add('TW_SCAN_POLICY_INVALID', {
      what: `uses ${describeValue(given)} as a policy, which has neither list(caller) nor call(caller, input, context).`,
      fix: isClass(given)
        ? `add list(caller) or call(caller, input, context) to ${given.name}`
        : 'write a function (caller, input, context) => boolean, or a class with list or call',
    });
    return undefined;
  }
  const draft = findProvider({ token: given, ...at }, space, problems);
  if (draft === undefined) return undefined;
  if (draft.scope !== 'singleton') {
    here.add('TW_SCAN_POLICY_INVALID', {
      what: `uses ${given.name} as a policy, which lives for one call only.`,
      why: 'a policy answers for lists as well, and its answers are kept from call to call.',
      fix: `remove the scope from ${given.name}; what differs from call to call comes with the caller and the context`,
    });
    return undefined;
  }
  const { hasList, hasCall } = membersOf(given.prototype as Partial<PolicyObject>);
  return Object.freeze({ kind: 'provider', key: draft.key, name: given.name, hasList, hasCall });
}

/** A policy that needs no instance: a function, or an object with `list` or `call`. */
export function objectPolicy(given: unknown): ScannedPolicy | undefined {
  if (typeof given === 'function') {
    if (/^class\b/.test(Function.prototype.toString.call(given)) || isPolicyClass(given)) return undefined;
    const call = given as PolicyFunction;
    const name = call.name === '' ? 'a policy' : call.name;
    return Object.freeze({ kind: 'object', policy: { call }, name, hasList: false, hasCall: true });
  }
  if (!isObject(given)) return undefined;
  const policy = given as PolicyObject;
  const members = membersOf(policy);
  if (!members.hasList && !members.hasCall) return undefined;
  const name = (policy.constructor as Class | undefined)?.name;
  return Object.freeze({
    kind: 'object',
    policy,
    name: name === undefined || name === 'Object' ? 'a policy' : name,
    ...members,
  });
}

function isPolicyClass(given: unknown): given is Class<PolicyObject> {
  if (!isClass(given)) return false;
  const { hasList, hasCall } = membersOf(given.prototype as Partial<PolicyObject>);
  return hasList || hasCall;
}

function membersOf({ list, call }: Partial<PolicyObject>): Pick<ScannedPolicy, 'hasList' | 'hasCall'> {
  return { hasList: typeof list === 'function', hasCall: typeof call === 'function' };
}
