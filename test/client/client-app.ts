import { IsInt, IsString, Min } from 'class-validator';
import { Action, Complete, Field, Module, Prompt, Resource, ToolContext, ToolGroup } from 'toolwright';

class Sum {
  @IsInt() a!: number;
  @IsInt() b!: number;
}
class Place {
  @IsString() @Field({ description: 'Where the work runs', header: 'Region' }) region!: string;
}
class Name {
  @IsString() name!: string;
}
class MemoPlace {
  @IsString() id!: string;
}
class Steps {
  @IsInt() @Min(1) count!: number;
}

/** Offers what a client has to deal with. */
@ToolGroup({ name: 'work', expose: 'flat' })
export class WorkTools {
  /** Calls that were given up. */
  readonly cancelled: string[] = [];

  @Action('Add two numbers') add({ a, b }: Sum): { sum: number } {
    return { sum: a + b };
  }

  @Action('Say where it runs') where({ region }: Place): string {
    return region;
  }

  @Action('Ask for a name') async greet(ctx: ToolContext): Promise<string> {
    const answer = await ctx.ask(Name, 'What is your name?');
    return answer.action === 'accept' ? `Hello ${answer.content.name}` : answer.action;
  }

  @Action('Count') async count({ count }: Steps, ctx: ToolContext): Promise<string> {
    for (let step = 1; step <= count; step += 1) await ctx.progress(step, count, `step ${String(step)}`);
    await ctx.log('counted', 'info');
    return 'counted';
  }

  @Action('End the response, and go on') async leave(ctx: ToolContext): Promise<string> {
    ctx.releaseStream();
    await new Promise((resolve) => setTimeout(resolve, 20));
    return 'back again';
  }

  @Action('Hang until cancelled') async hang(ctx: ToolContext): Promise<string> {
    const cancelled = new Promise<string>((resolve) => {
      ctx.signal.addEventListener('abort', () => {
        this.cancelled.push('hang');
        resolve('cancelled');
      });
    });
    await ctx.progress(0);
    return cancelled;
  }

  @Prompt('Praise somebody') praise({ name }: Name): string {
    return `Praise ${name}`;
  }

  @Complete('praise', 'name') names(value: string): string[] {
    return ['Ada', 'Alan', 'Grace'].filter((name) => name.startsWith(value));
  }

  @Resource('memo://one', { name: 'one' }) memo(): string {
    return 'the memo';
  }

  @Resource('memo://all/{id}', { name: 'any' }) anyMemo({ id }: MemoPlace): string {
    return `memo ${id}`;
  }
}

@Module({ controllers: [WorkTools] })
export class WorkModule {}
