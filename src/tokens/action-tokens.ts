import type { McpApplication } from '../index.ts';

/** What an action adds to its tool. */
export interface ActionTokens {
  readonly key: string;
  readonly tokens: number;
}

/**
 * What each action costs, by the name of its tool: what the tool is shorter without it. A tool with one action is left out.
 * @param count counts a list of tools
 */
export async function countActions(
  app: McpApplication,
  count: (tools: readonly object[]) => Promise<number>,
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

/** A part of a tool whose signatures are too long for one description is not an entry of the registry. */
function isWholeTool(app: McpApplication, name: string): boolean {
  return app.registry.sets.some((set) => set.name === name);
}
