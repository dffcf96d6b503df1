import { createTool, McpApplication, Module } from 'toolwright';

/** A tool in a plain list, as any framework can offer it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: {
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
}

@Module()
class EmptyModule {}

/** How groups describe their actions. */
export type Describe = 'plain' | 'toon' | 'signatures';

/** An application with an action for each tool of the list. @param findGroup the group that a tool belongs to */
export async function openTools(
  tools: readonly ListedTool[],
  findGroup: (tool: ListedTool) => string,
  describe: Describe,
): Promise<McpApplication> {
  const info = { name: 'listed', version: '1.0.0' };
  // Its tools are registered below, so that it would say that it has none
  const app = await McpApplication.create(EmptyModule, { ...info, logger: () => undefined });
  for (const group of new Set(tools.map(findGroup))) {
    const builder = createTool(group, { describe }).description(
      `What concerns ${group.replaceAll('_', ' ')}`,
    );
    for (const tool of tools.filter((each) => findGroup(each) === group)) addAction(builder, tool);
    app.registry.register(builder);
  }
  return app;
}

function addAction(
  builder: ReturnType<typeof createTool>,
  { name, description, inputSchema: input, annotations = {} }: ListedTool,
): void {
  const { readOnlyHint: readOnly = false, destructiveHint: destructive = false } = annotations;
  const marks = readOnly ? { readOnly } : destructive ? { destructive } : {};
  builder.action({ name, description, input, ...marks, handler: () => 'done' });
}
