import type { ScannedMiddleware } from '../scanner/scanned-callable.ts';
import { deepCopy } from '../shared/deep-freeze.ts';
import type { BuilderDraft, GroupDraft } from './builder-draft.ts';
import { checkName, duplicateAction, invalidAction } from './builder-errors.ts';
import type { ToolAction, ToolMiddleware } from './tool-action.ts';

/** Checks an action and adds it to the draft; what the caller passed in is copied. */
export function recordAction(draft: BuilderDraft, group: GroupDraft | undefined, given: unknown): void {
  const action = given as ToolAction;
  if (typeof given !== 'object' || given === null) {
    throw invalidAction(draft.name, String(given), 'is not an object.', '.action({ name, handler })');
  }
  checkName('action', action.name, `builder "${draft.name}"`);
  const key = group === undefined ? action.name : `${group.name}.${action.name}`;
  if (draft.actions.some((known) => known.key === key)) throw duplicateAction(draft.name, key);
  if (typeof action.handler !== 'function') {
    throw invalidAction(draft.name, key, 'has no handler.', 'handler: (input, context) => …');
  }
  if (action.readOnly === true && action.destructive === true) {
    throw invalidAction(draft.name, key, 'is both readOnly and destructive.', 'keep the one that is true');
  }
  const middleware = (action.middleware ?? []).map((entry) => recordMiddleware(draft.name, entry));
  const copy: ToolAction = { ...action, ...(action.tags === undefined ? {} : { tags: [...action.tags] }) };
  draft.actions.push(
    Object.freeze({ key, group, action: Object.freeze(withCopiedSchemas(copy)), middleware }),
  );
}

/** A middleware in the form that compile knows. */
export function recordMiddleware(builder: string, middleware: ToolMiddleware | undefined): ScannedMiddleware {
  if (typeof middleware === 'function') return Object.freeze({ kind: 'function', run: middleware as never });
  if (typeof middleware === 'object' && typeof middleware.use === 'function') {
    return Object.freeze({
      kind: 'function',
      run: ((call, next) => middleware.use(call, next)) as ToolMiddleware as never,
    });
  }
  throw invalidAction(
    builder,
    'use',
    'got a middleware that is neither a function nor an object with use().',
    '(call, next) => next()',
  );
}

/** Raw JSON Schemas are the caller's own objects; classes and Standard Schemas are kept as they are. */
function withCopiedSchemas(action: ToolAction): ToolAction {
  return {
    ...action,
    ...(action.schema === undefined ? {} : { schema: deepCopy(action.schema) }),
    ...(action.output === undefined ? {} : { output: deepCopy(action.output) }),
  };
}
