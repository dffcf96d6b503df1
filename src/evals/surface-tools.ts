import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { ExportedTools, McpApplication, SurfaceName, ToolDefinition } from '../index.ts';
import { didYouMean } from '../shared/did-you-mean.ts';
import { membersOf, type PlainObject } from '../shared/json.ts';
import type { EvalCase, ScriptedCall } from './eval-case.ts';

/** A tool of a surface, and the actions that it calls. */
type ListedTool = ReturnType<McpApplication['registry']['listed']>[number];

/** An action that a call names, and what it is given. */
export interface CalledAction {
  /** The tool and the key: `tasks.create`. */
  readonly action: string;
  readonly input: PlainObject;
}

/** A call of a tool of a surface. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: PlainObject;
}

/** Lists actions of the surface `progressive`; a model calls it on its way, and no case expects it. */
export const FIND_ACTIONS = 'find_actions';
const CARRIERS = new Set(['read_action', 'call_action']);

/** The tools of an application on one surface: what is called by a call, and how an action is called. */
export class SurfaceTools {
  readonly surface: SurfaceName;
  /** As `tools/list` has them. */
  readonly definitions: readonly ToolDefinition[];
  /** The keys of all actions, with the names of their tools before them. */
  readonly actions: readonly string[];
  /** What the server says of itself to clients of the surface, if anything. */
  readonly instructions: string | undefined;
  /** Calls a tool of the surface, as a client would. */
  readonly dispatch: ExportedTools['dispatch'];
  readonly #listed: readonly ListedTool[];

  private constructor(app: McpApplication, surface: SurfaceName, exported: ExportedTools) {
    this.surface = surface;
    this.definitions = exported.tools as readonly ToolDefinition[];
    this.instructions = app.instructionsOn(surface);
    this.dispatch = (call) => exported.dispatch(call);
    this.#listed = app.registry.listed(app.registry.surfaceNamed(surface));
    this.actions = [...new Set(this.#listed.flatMap(({ actions }) => actions.map(writeAction)))];
  }

  static async open(app: McpApplication, surface: SurfaceName): Promise<SurfaceTools> {
    return new SurfaceTools(app, surface, await app.export('mcp', { surface }));
  }

  /** The actions that a tool calls. */
  actionsIn(tool: string): readonly string[] {
    return this.#find(tool)?.actions.map(writeAction) ?? [];
  }

  /** The action that a call names; undefined where it names none. */
  findAction(tool: string, args: unknown): CalledAction | undefined {
    const listed = this.#find(tool);
    const given = membersOf(args);
    if (listed === undefined) return undefined;
    if (this.#carries(tool)) {
      const action = this.actions.find((each) => each === given['action']);
      return action === undefined ? undefined : { action, input: membersOf(given['arguments']) };
    }
    const { discriminator, actions } = listed;
    if (discriminator === undefined) return actions[0] && { action: writeAction(actions[0]), input: given };
    const called = actions.find(({ key }) => key === given[discriminator]);
    const { [discriminator]: _key, ...input } = given;
    return called && { action: writeAction(called), input };
  }

  /** The call of an action. @throws ToolwrightError TW_EVALS_CASE for one that is not there */
  writeCall({ action, input = {} }: ScriptedCall): ToolCall {
    for (const tool of this.#listed) {
      const found = tool.actions.find((each) => writeAction(each) === action);
      if (found === undefined) continue;
      if (this.#carries(tool.name)) return { name: tool.name, arguments: { action, arguments: input } };
      const { discriminator } = tool;
      const chosen = discriminator === undefined ? {} : { [discriminator]: found.key };
      return { name: tool.name, arguments: { ...chosen, ...input } };
    }
    throw unknownAction(action, this.actions);
  }

  #find(name: string): ListedTool | undefined {
    return this.#listed.find((tool) => tool.name === name);
  }

  #carries(tool: string): boolean {
    return this.surface === 'progressive' && CARRIERS.has(tool);
  }
}

/** @throws ToolwrightError TW_EVALS_CASE for an action that the application does not have */
export function checkActions(cases: readonly EvalCase[], { actions }: SurfaceTools): void {
  const known = new Set(actions);
  for (const { name, expect, script = [] } of cases)
    for (const { action } of [...(expect === 'none' ? [] : expect), ...script])
      if (!known.has(action)) throw unknownAction(action, actions, name);
}

function writeAction({ root, key }: ListedTool['actions'][number]): string {
  return `${root}.${key}`;
}

function unknownAction(action: string, known: readonly string[], name?: string): ToolwrightError {
  const hint = didYouMean(action, known);
  return new ToolwrightError('TW_EVALS_CASE', {
    where: name === undefined ? 'An eval' : `The case ${JSON.stringify(name)}`,
    what: `names the action ${JSON.stringify(action)}, which the application does not have${hint === undefined ? '.' : `; ${hint}`}`,
    fix: `one of ${known.slice(0, 20).join(', ')}`,
  });
}
