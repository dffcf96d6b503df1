import type { Issue } from '../../call/issue.ts';
import { isWrapper } from '../../compile/stages/as-meant.ts';
import type { ActionDefinition, CompiledTool } from '../../compile/tools/compiled-tool.ts';
import { nearestName } from '../../shared/did-you-mean.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';

/** The action that a call surely meant, which names none of the tool's. */
export interface MeantAction {
  readonly action: ActionDefinition;
  /** Without the discriminator, and without what was around them. */
  readonly args: PlainObject;
}

/** Some are enough: a call may have a million names, and a misspelt one comes early. */
const MAX_NAMES_COUNT = 100;

/**
 * Finds the action that a call meant: by a misspelt name of it, or of the discriminator; by one that is in a list, an
 * object or a wrapper; or as the only one that has all it requires. What destroys is not found by its fields alone.
 */
export function findMeantAction(tool: CompiledTool, args: PlainObject): MeantAction | undefined {
  const { discriminator = '' } = tool;
  const { [discriminator]: key, ...others } = args;
  const unknown = unknownNames(tool, args);
  const misspelt = nearestName(discriminator, unknown);
  if (key !== undefined && key !== null && key !== '') return actionNamed(tool, key, others);
  if (misspelt !== undefined) {
    const { [misspelt]: value, ...rest } = others;
    return actionNamed(tool, value, rest);
  }
  const wrapper = unknown.find((name) => isWrapper(args, args[name], [discriminator]));
  if (wrapper === undefined) return actionByFields(tool, others);
  const { [wrapper]: inner, ...beside } = others;
  const { [discriminator]: wrapped, ...rest } = inner as PlainObject;
  return actionNamed(tool, wrapped, { ...beside, ...rest });
}

/** The first names of a call that no action of the tool has. */
export function unknownNames({ definition }: CompiledTool, args: PlainObject): readonly string[] {
  const { properties = {} } = definition.inputSchema;
  return Object.keys(args)
    .slice(0, MAX_NAMES_COUNT)
    .filter((name) => !Object.hasOwn(properties, name));
}

function actionNamed(tool: CompiledTool, value: unknown, args: PlainObject): MeantAction | undefined {
  const name = isSingle(value) ? Object.values(value)[0] : value;
  if (typeof name !== 'string') return undefined;
  const action = tool.byKey.get(nearestName(name, tool.byKey.keys()) ?? '');
  return action === undefined ? undefined : { action, args };
}

/** True for a list or an object with one member. */
function isSingle(value: unknown): value is PlainObject | readonly unknown[] {
  return (Array.isArray(value) || isPlainObject(value)) && Object.keys(value).length === 1;
}

function actionByFields({ actions }: CompiledTool, args: PlainObject): MeantAction | undefined {
  const complete = actions.filter(
    ({ requiredFields, isDestructive }) =>
      !isDestructive &&
      requiredFields.length > 0 &&
      requiredFields.every((name) => Object.hasOwn(args, name)),
  );
  const [action] = complete;
  return action === undefined || complete.length > 1 ? undefined : { action, args };
}

/**
 * What else is wrong with a call of the action that was meant. Of an action that not everyone may call, or not as often as
 * they like, nothing is said: its checks may answer questions.
 */
export function findFurtherIssues({ action, args }: MeantAction): MaybePromise<readonly Issue[]> {
  if (action.requirements !== undefined || action.countsCalls) return [];
  return thenMaybe(action.resolveInput(args), (outcome) => (outcome.ok ? [] : outcome.issues));
}
