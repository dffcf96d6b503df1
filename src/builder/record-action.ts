import type { MiddlewareFunction, MiddlewareObject } from '../call/middleware.ts';
import { readVersioning } from '../scanner/actions/versioning.ts';
import type { ScannedMiddleware } from '../scanner/members/scanned-callable.ts';
import { isClass } from '../shared/class-type.ts';
import { deepCopy } from '../shared/deep-freeze.ts';
import { describeValue } from '../shared/describe-value.ts';
import { isStandardSchema, type SchemaSource } from '../shared/schema-source.ts';
import { equal } from '../version/version.ts';
import type { ToolAction, ToolMiddleware } from '../app/tool-action.ts';
import type { BuilderDraft, GroupDraft } from './builder-draft.ts';
import { checkName, duplicateAction, invalidAction, mixedVersions } from './builder-errors.ts';
import { checkActionOptions } from './check-options.ts';

/** Checks an action and adds it to the draft; what the caller passed in is copied. */
export function recordAction(draft: BuilderDraft, group: GroupDraft | undefined, given: unknown): void {
  const action = given as ToolAction;
  if (typeof given !== 'object' || given === null) {
    throw invalidAction(draft.name, describeValue(given), 'is not an object.', '.action({ name, handler })');
  }
  checkName('action', action.name, `builder "${draft.name}"`);
  const key = group === undefined ? action.name : `${group.name}.${action.name}`;
  if (typeof action.handler !== 'function') {
    throw invalidAction(draft.name, key, 'has no handler.', 'handler: (input, context) => …');
  }
  checkActionOptions(action, `action "${key}" of builder "${draft.name}"`);
  checkSiblings(draft, key, action);
  if (action.readOnly === true && isDestructive(action)) {
    throw invalidAction(draft.name, key, 'is both readOnly and destructive.', 'keep the one that is true');
  }
  if (action.input !== undefined && action.schema !== undefined) {
    throw invalidAction(
      draft.name,
      key,
      'has both input and schema.',
      'keep input: schema is another name of it',
    );
  }
  const middleware = (action.middleware ?? []).map((entry) => recordMiddleware(draft.name, entry));
  const copy: ToolAction = {
    ...action,
    ...ownDestructive(action),
    ...(action.tags === undefined ? {} : { tags: [...action.tags] }),
    ...(action.deprecated === undefined ? {} : { deprecated: { ...action.deprecated } }),
  };
  draft.actions.push(
    Object.freeze({ key, group, action: Object.freeze(withCopiedSchemas(copy)), middleware }),
  );
}

function isDestructive({ destructive = false }: ToolAction): boolean {
  return destructive !== false;
}

function ownDestructive({ destructive }: ToolAction): Pick<ToolAction, 'destructive'> {
  return typeof destructive === 'object' ? { destructive: { ...destructive } } : {};
}

/** Two actions with one key: the call that adds the second throws. */
function checkSiblings(draft: BuilderDraft, key: string, added: ToolAction): void {
  const { version } = readVersioning([added, draft.versioning]);
  for (const known of draft.actions) {
    if (known.key !== key) continue;
    const { version: other } = readVersioning([known.action, draft.versioning]);
    if ((version === undefined) !== (other === undefined)) throw mixedVersions(draft.name, key);
    if (version === undefined || other === undefined || equal(version, other)) {
      throw duplicateAction(draft.name, key, version);
    }
  }
}

/** A middleware in the form that compile knows. */
export function recordMiddleware(builder: string, given: ToolMiddleware | undefined): ScannedMiddleware {
  const middleware = isMiddlewareClass(given) ? instantiate(builder, given) : given;
  if (typeof middleware === 'function') return Object.freeze({ kind: 'function', run: middleware as never });
  if (typeof middleware === 'object' && typeof middleware.use === 'function') {
    const run: MiddlewareFunction<unknown> = (call, next) => middleware.use(call, next);
    return Object.freeze({ kind: 'function', run: run as never });
  }
  throw invalidAction(
    builder,
    'use',
    'got a middleware that is neither a function nor an object with use().',
    '(call, next) => next()',
  );
}

/** A function may have a prototype, too; only a class has `use` in it. */
function isMiddlewareClass(given: unknown): given is new () => MiddlewareObject<unknown> {
  return isClass(given) && typeof (given.prototype as Partial<MiddlewareObject>).use === 'function';
}

/** A builder has no container, so a middleware class has to do without dependencies. */
function instantiate(builder: string, type: new () => MiddlewareObject<unknown>): MiddlewareObject<unknown> {
  if (type.length > 0) {
    throw invalidAction(
      builder,
      'use',
      `got the middleware class ${type.name}, whose constructor takes parameters.`,
      `pass an instance: use(new ${type.name}(…))`,
    );
  }
  return new type();
}

/** Copies raw JSON Schemas, which the caller could change; shares classes and Standard Schemas. */
function withCopiedSchemas({ schema, ...action }: ToolAction): ToolAction {
  const { input = schema, output } = action;
  return {
    ...action,
    ...(input === undefined ? {} : { input: copySchema(input) }),
    ...(output === undefined ? {} : { output: copySchema(output) }),
  };
}

/** A copy of a raw JSON Schema; classes and Standard Schemas are shared. */
export function copySchema<Schema extends SchemaSource>(schema: Schema): Schema {
  return isStandardSchema(schema) ? schema : deepCopy(schema);
}

/** Lets the caller configure a group; on failure, the draft stays unchanged. */
export function recordGroup(
  draft: BuilderDraft,
  name: string,
  description: string | undefined,
  configure: (group: GroupDraft) => void,
): void {
  const known = draft.groups.get(name);
  const group = known ?? createGroup(name);
  const before = { ...group, layers: group.middleware.length, actions: draft.actions.length };
  if (description !== undefined && description !== '') group.description = description;
  draft.groups.set(name, group);
  try {
    configure(group);
  } catch (error) {
    if (known === undefined) draft.groups.delete(name);
    group.description = before.description;
    group.unknownFields = before.unknownFields;
    group.own = before.own;
    group.requirements = before.requirements;
    group.said = before.said;
    group.middleware.length = before.layers;
    draft.actions.length = before.actions;
    throw error;
  }
}

function createGroup(name: string): GroupDraft {
  return {
    name,
    description: undefined,
    unknownFields: undefined,
    own: Object.freeze({ name }),
    requirements: undefined,
    said: undefined,
    middleware: [],
  };
}
