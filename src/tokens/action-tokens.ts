import type { McpApplication } from '../index.ts';
import { countToolTokens } from './tool-tokens.ts';

/** What an action adds to its tool. */
export interface ActionTokens {
  /** The name of the action, with the path of its group. */
  readonly key: string;
  /** The tokens of the tool less those of the tool without it. */
  readonly tokens: number;
}

/**
 * What each action costs, by the name of its tool: what the tool is shorter without it. A tool with one action is left out.
 * @param count counts a list of tools; {@link countToolTokens} unless given
 *
 * @example
 * const { tasks = [] } = await countActionTokens(app);
 * const dearest = tasks.toSorted((left, right) => right.tokens - left.tokens)[0]?.key;
 */
export async function countActionTokens(
  app: McpApplication,
  count: (tools: readonly object[]) => Promise<number> = countList,
): Promise<Readonly<Record<string, readonly ActionTokens[]>>> {
  const counted: Record<string, readonly ActionTokens[]> = {};
  for (const definition of app.definitions.filter(({ name }) => isWholeTool(app, name))) {
    const keys = definition.actions().map(({ key }) => key);
    if (keys.length < 2) continue;
    const { name } = definition;
    const whole = await count([definition]);
    const own: ActionTokens[] = [];
    for (const key of keys) {
      app.registry.disable(name, key);
      const left = app.definitions.filter((other) => other.name === name);
      own.push({ key, tokens: whole - (await count(left)) });
      app.registry.enable(name, key);
    }
    counted[name] = own;
  }
  return counted;
}

async function countList(tools: readonly object[]): Promise<number> {
  return (await countToolTokens(tools)).tokens;
}

/** A part of a tool whose signatures are too long for one description is not an entry of the registry. */
function isWholeTool(app: McpApplication, name: string): boolean {
  return app.registry.sets.some((set) => set.name === name);
}
