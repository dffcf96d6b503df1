import { setTimeout as after } from 'node:timers/promises';
import { Action, McpApplication, Module, ToolContext, ToolGroup } from 'toolwright';

@ToolGroup({ name: 'desk', description: 'Answers', expose: 'flat' })
class Desk {
  @Action('Answers shortly') short_run(): string {
    return 'done';
  }
  @Action('Answers at length') long_run(): string {
    return 'x'.repeat(100_000);
  }
  @Action('Waits until it is cancelled') async wait_run(ctx: ToolContext): Promise<string> {
    await after(600_000, undefined, { signal: ctx.signal }).catch(() => undefined);
    return 'waited';
  }
}

@Module({ controllers: [Desk] })
class Stdio {}

const app = await McpApplication.create(Stdio, { maskErrors: true });
await app.stdio({ drainTimeout: 1000 });
