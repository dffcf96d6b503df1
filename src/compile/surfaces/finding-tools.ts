import { deepFreeze } from '../../shared/deep-freeze.ts';
import type { CompiledToolDefinition, ToolDefinition } from '../tools/compiled-tool.ts';

/** Lists the actions that fit. */
export const FIND_ACTIONS = 'find_actions';
/** Calls actions that change nothing. */
export const READ_ACTION = 'read_action';
/** Calls any action. */
export const CALL_ACTION = 'call_action';

export const FINDING_NAMES: readonly string[] = [FIND_ACTIONS, READ_ACTION, CALL_ACTION];

/** The arguments of what calls actions: the key, and what the action takes. */
export const ACTION_ARGUMENT = 'action';
export const CARRIED_ARGUMENT = 'arguments';

export const FOUND_COUNT = 5;
export const MAX_FOUND_COUNT = 20;

const FINDING: ToolDefinition = {
  name: FIND_ACTIONS,
  title: 'Find actions',
  description: 'Finds actions of this server and what they take. Without arguments: the groups of actions.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What to do, in a few words' },
      group: { type: 'string', description: 'Only actions of this group' },
      key: { type: 'string', description: 'This action, with its whole description' },
      limit: { type: 'integer', minimum: 1, maximum: MAX_FOUND_COUNT, default: FOUND_COUNT },
      schema: { type: 'boolean', default: false, description: 'With JSON Schemas' },
    },
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
};

const CARRYING: ToolDefinition['inputSchema'] = {
  type: 'object',
  properties: {
    [ACTION_ARGUMENT]: { type: 'string', description: 'A key that find_actions gave' },
    [CARRIED_ARGUMENT]: { type: 'object', description: 'What the signature of the action names' },
  },
  required: [ACTION_ARGUMENT],
  additionalProperties: false,
};

/**
 * The tools by which a client finds actions and calls them. Beside what the reached tools have in common they are the same
 * for each caller, however many there are; none where nothing can be reached.
 * @param reached the tools that can be called by them, one for each action
 */
export function createFindingTools(
  reached: readonly Pick<ToolDefinition, 'annotations' | 'execution'>[],
): readonly CompiledToolDefinition[] {
  if (reached.length === 0) return [];
  const reads = reached.filter(({ annotations }) => annotations.readOnlyHint === true);
  return [
    compiled(FINDING),
    compiled({
      name: READ_ACTION,
      title: 'Read with an action',
      description: 'Calls an action that is read-only.',
      inputSchema: CARRYING,
      annotations: { readOnlyHint: true, destructiveHint: false, ...readWorld(reads) },
      ...readExecution(reads),
    }),
    compiled({
      name: CALL_ACTION,
      title: 'Call an action',
      description: 'Calls any action.',
      inputSchema: CARRYING,
      annotations: { readOnlyHint: false, destructiveHint: true, ...readWorld(reached) },
      ...readExecution(reached),
    }),
  ];
}

type Reached = Parameters<typeof createFindingTools>[0];

function readWorld(tools: Reached): ToolDefinition['annotations'] {
  const worlds = tools.map(({ annotations }) => annotations.openWorldHint);
  if (worlds.includes(true)) return { openWorldHint: true };
  return worlds.length > 0 && worlds.every((isOpen) => isOpen === false) ? { openWorldHint: false } : {};
}

/** A call may be a task where any action may become one. */
function readExecution(tools: Reached): Pick<ToolDefinition, 'execution'> {
  const hasTasks = tools.some(({ execution }) => execution !== undefined);
  return hasTasks ? { execution: { taskSupport: 'optional' } } : {};
}

/** They have no actions of their own to explain. */
function compiled(definition: ToolDefinition): CompiledToolDefinition {
  const none = { value: () => [] };
  return deepFreeze(
    Object.defineProperties({ ...definition }, { explain: none, actions: none }),
  ) as CompiledToolDefinition;
}
