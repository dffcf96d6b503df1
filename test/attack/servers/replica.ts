/** One of several replicas on a Redis: calls that take a while, report their progress, or ask their client. */
import { setTimeout as after } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { IsInt, IsString } from 'class-validator';
import { Action, McpApplication, Module, ToolContext, ToolGroup } from 'toolwright';
import { redisBackplane } from 'toolwright/redis';
import { serveAttacked } from '../serve-attacked.ts';

class Work {
  @IsString() label!: string;
  @IsInt() milliseconds!: number;
}

class Choice {
  @IsString() word!: string;
}

@ToolGroup({ name: 'jobs', description: 'Jobs', expose: 'flat' })
class Jobs {
  @Action('Takes its time') async work({ label, milliseconds }: Work, ctx: ToolContext): Promise<string> {
    await ctx.progress(1, 2);
    await after(milliseconds);
    await ctx.progress(2, 2);
    return `did ${label}`;
  }

  @Action('Asks for a word') async ask({ label, milliseconds }: Work, ctx: ToolContext): Promise<string> {
    const answer = await ctx.ask(Choice, 'Which word?');
    await after(milliseconds);
    return answer.action === 'accept' ? `did ${label} with ${answer.content.word}` : answer.action;
  }
}

@Module({ controllers: [Jobs] })
class JobsModule {}

const { REPLICA_STORE: url = '', REPLICA_DRAIN: drainDelay = '0' } = process.env;
const app = await McpApplication.create(JobsModule, {
  name: 'replica',
  secrets: ['a secret of all replicas, long enough'],
  backplane: redisBackplane({ client: createClient({ url }) }),
  drainDelay: Number(drainDelay),
});
await serveAttacked(app, { sessions: { retryInterval: 100 } });
