import type { TaskMode, TaskSupport } from '../../call/action-options.ts';
import { McpToolConverter } from '../../converters/mcp-converters.ts';
import type { IconOptions, ToolAnnotationHints } from '../../metadata/options.ts';
import { Tool } from '../../model/group.ts';
import { createToolAnnotations } from '../../model/values.ts';
import { deepCopy, deepFreeze } from '../../shared/deep-freeze.ts';
import type { ObjectSchema } from '../../shared/json-schema.ts';
import { setModelMembers } from '../set-model-members.ts';
import type { CompiledToolDefinition, ToolDefinition } from './compiled-tool.ts';
import type { ActionFacts, ToolFacts } from './prepared-tool.ts';

/** Everything a listed tool consists of; a part that it does not have is undefined, never forgotten. */
export interface ToolForm {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema | undefined;
  readonly annotations: ToolAnnotationHints;
  readonly taskSupport: TaskSupport | undefined;
  readonly icons: readonly IconOptions[] | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
}

const converter = new McpToolConverter();

/** The frozen wire form of a listed tool: the form of a root group, or of a leaf with flat exposition. */
export function definitionOf(
  form: ToolForm,
  explain: CompiledToolDefinition['explain'],
): CompiledToolDefinition {
  const tool = new Tool(form.name);
  setModelMembers(tool, form);
  tool.inputSchema = form.inputSchema;
  tool.outputSchema = form.outputSchema;
  tool.toolAnnotations = createToolAnnotations(form.annotations);
  const { taskSupport } = form;
  const execution = taskSupport === undefined ? {} : { execution: { taskSupport } };
  const definition = { ...converter.convertFromTool(tool), ...execution } as ToolDefinition;
  return deepFreeze(
    Object.defineProperty(definition, 'explain', { value: explain }),
  ) as CompiledToolDefinition;
}

type Marks = Pick<ActionFacts, 'isDestructive' | 'isReadOnly' | 'isIdempotent' | 'isOpenWorld'>;

/** The hints of a tool with its actions: destructive if any may be, read-only or idempotent only if all are. */
export function aggregateAnnotations({
  actions,
  annotations: explicit,
}: Pick<ToolFacts, 'actions' | 'annotations'>): ToolAnnotationHints {
  const hints = new Map<string, unknown>([
    ['readOnlyHint', actions.length > 0 && actions.every((action) => action.isReadOnly)],
    ['destructiveHint', actions.some((action) => action.isDestructive)],
    ['idempotentHint', actions.length > 0 && actions.every((action) => action.isIdempotent)],
  ]);
  const openWorld = aggregateOpenWorld(actions);
  if (openWorld !== undefined) hints.set('openWorldHint', openWorld);
  for (const [hint, value] of Object.entries(explicit)) if (value !== undefined) hints.set(hint, value);
  return deepFreeze(deepCopy(Object.fromEntries(hints)));
}

function aggregateOpenWorld(actions: readonly Marks[]): boolean | undefined {
  if (actions.some((action) => action.isOpenWorld === true)) return true;
  if (actions.length > 0 && actions.every((action) => action.isOpenWorld === false)) return false;
  return undefined;
}

/**
 * What a tool says of the modes of its actions; undefined says that no call may be a task.
 * It requires tasks only if every action does: a client without them can still call the others.
 */
export function taskSupport(modes: readonly (TaskMode | undefined)[]): TaskSupport | undefined {
  if (modes.every((mode) => mode === undefined)) return undefined;
  return modes.every((mode) => mode === 'required') ? 'required' : 'optional';
}
