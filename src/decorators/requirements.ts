import type { PolicyFunction, PolicyObject, RequirementOptions } from '../call/requirements.ts';
import { appendRecord, type DeclaredRequirement } from '../metadata/records.ts';
import type { Class } from '../shared/class-type.ts';
import { copyValue } from '../metadata/copy-options.ts';
import { classOrMethodDecorator, refuseFurther } from '../metadata/decorator-target.ts';

/**
 * Requires scopes of the caller's token: all of them; of a list inside, one is enough. A method's requirements add to
 * those of its class and of the groups above. Callers without them are asked to sign in for more, by default.
 *
 * @example
 * @Action('Create a task') @Scopes('tasks:write')
 * create(input: CreateTask) {}
 */
export function Scopes(
  ...scopes: readonly (string | readonly string[] | RequirementOptions)[]
): ClassDecorator & MethodDecorator {
  return requirementDecorator('@Scopes', { kind: 'scopes', given: copyValue(scopes) });
}

/**
 * Requires a role of the caller: one of those that are named. Where a caller has none of them, what it stands on is
 * hidden, by default.
 *
 * @example
 * @Action('Delete a task for good') @Destructive() @Roles('admin', 'owner')
 * delete(input: TaskRef) {}
 */
export function Roles(...roles: readonly (string | RequirementOptions)[]): ClassDecorator & MethodDecorator {
  return requirementDecorator('@Roles', { kind: 'roles', given: copyValue(roles) });
}

/**
 * Lets code of the application decide: a function that is asked before each call, or a class of a provider, or an
 * object, with `list` and `call`.
 *
 * @example
 * @Action('Close a task') @Policy((caller, input: TaskRef) => input.id.startsWith(caller.authInfo.clientId))
 * close(input: TaskRef) {}
 */
export function Policy(
  policy: PolicyFunction | PolicyObject | Class<PolicyObject>,
  options: RequirementOptions = {},
  ...further: never[]
): ClassDecorator & MethodDecorator {
  refuseFurther('@Policy', 2, further, "@Policy(OwnsTask, { denied: 'refuse' })");
  return requirementDecorator('@Policy', {
    kind: 'policy',
    given: Object.freeze([policy, copyValue(options)]),
  });
}

/**
 * Admits everybody, also without a token. On a method it lifts what its class and the groups above require.
 *
 * @example
 * @Action('Say what this server is') @Public()
 * about() { return 'Tasks of workspaces'; }
 */
export function Public(...further: never[]): ClassDecorator & MethodDecorator {
  refuseFurther('@Public', 0, further, '@Public()');
  return requirementDecorator('@Public', { kind: 'public' });
}

/**
 * Requires a caller that is signed in, and nothing else. It is the default of an application with `auth`.
 *
 * @example
 * @Action('List the open tasks') @Authenticated()
 * list() {}
 */
export function Authenticated(...further: never[]): ClassDecorator & MethodDecorator {
  refuseFurther('@Authenticated', 0, further, '@Authenticated()');
  return requirementDecorator('@Authenticated', { kind: 'authenticated' });
}

function requirementDecorator(
  name: string,
  requirement: DeclaredRequirement,
): ClassDecorator & MethodDecorator {
  const copy = Object.freeze(requirement);
  return classOrMethodDecorator(name, (target, member) => {
    appendRecord(target, { kind: 'requirement', member, requirement: copy });
  });
}
