import { setTimeout as after } from 'node:timers/promises';
import { IsBoolean } from 'class-validator';
import { Action, McpApplication, Module, ToolContext, ToolGroup } from 'toolwright';
import { serveAttacked } from '../serve-attacked.ts';

class Sure {
  @IsBoolean() isSure!: boolean;
}

@ToolGroup({ name: 'desk', description: 'Answers', expose: 'flat' })
class Desk {
  @Action('Answers shortly') short_run(): string {
    return 'done';
  }
  @Action('Answers at length') long_run(): string {
    return 'x'.repeat(14 * 1024 * 1024);
  }
  @Action('Answers at length, on a stream') async report_run(ctx: ToolContext): Promise<string> {
    await ctx.progress(1, 1);
    return 'x'.repeat(9 * 1024 * 1024);
  }
  @Action('Asks first') async ask_run(ctx: ToolContext): Promise<string> {
    const { action } = await ctx.ask(Sure, 'Sure?');
    return action;
  }
  @Action({ description: 'Goes on after its answer', task: 'required' }) job_run(): string {
    return 'done';
  }
  @Action('Reports how far it is') async steps_run(ctx: ToolContext): Promise<string> {
    for (let step = 1; step <= 100; step += 1) {
      await ctx.progress(step, 100);
      await after(5, undefined, { signal: ctx.signal });
    }
    return 'done';
  }
}

@Module({ controllers: [Desk] })
class Serving {}

const { SESSIONS } = process.env;
const authenticate = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => {
  const token = headers['authorization'] ?? 'nobody';
  return { token, clientId: token, scopes: [] };
};
await serveAttacked(
  await McpApplication.create(Serving, { maskErrors: true }),
  SESSIONS === undefined ? {} : { sessions: true, authenticate },
);
