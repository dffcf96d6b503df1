import { setTimeout as sleep } from 'node:timers/promises';
import { Action, ReadOnly, ToolContext, ToolGroup } from 'toolwright';

/** What a tool shows the client while it runs. */
@ToolGroup({ name: 'running', prefix: 'test' })
export class RunningTools {
  @Action({ name: 'tool_with_logging', description: 'Sends three log messages' })
  @ReadOnly()
  async withLogging(ctx: ToolContext) {
    await ctx.log('Tool execution started');
    await sleep(50);
    await ctx.log('Tool processing data');
    await sleep(50);
    await ctx.log('Tool execution completed');
    return 'Logged three messages';
  }

  @Action({ name: 'logging_tool', description: 'Sends a log message, where the client wants them' })
  @ReadOnly()
  async log(ctx: ToolContext) {
    await ctx.log('A message for those who listen');
    return 'Done';
  }

  @Action({ name: 'tool_with_progress', description: 'Reports its progress' })
  @ReadOnly()
  async *withProgress() {
    for (const progress of [0, 50, 100]) {
      yield { progress, total: 100 };
      await sleep(50);
    }
    return 'Done';
  }

  @Action({ name: 'reconnection', description: 'Ends its stream, and answers on another one' })
  @ReadOnly()
  async reconnect(ctx: ToolContext) {
    ctx.releaseStream();
    await sleep(100);
    return 'Here you are again';
  }
}
