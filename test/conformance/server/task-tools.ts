import { setTimeout as sleep } from 'node:timers/promises';
import { IsBoolean, IsNumber, IsOptional, IsString } from 'class-validator';
import { Action, Destructive, Field, ProtocolError, ReadOnly, ToolContext, ToolGroup } from 'toolwright';

class Greeting {
  @IsString() @Field('Whom to greet') name!: string;
}

class Computation {
  @IsNumber() @Field('How long it takes') seconds!: number;
  @IsString() @IsOptional() @Field('What it is called') label?: string;
}

class File {
  @IsString() @Field('What to delete') filename!: string;
}

class Confirmation {
  @IsBoolean() confirm!: boolean;
}

/** Tools that go on as tasks where the client knows tasks. */
@ToolGroup({ name: 'tasks', prefix: '' })
export class TaskTools {
  @Action('Greets, at once')
  @ReadOnly()
  greet({ name }: Greeting) {
    return `Hello, ${name}!`;
  }

  @Action({ name: 'slow_compute', description: 'Computes for some time', task: true })
  @ReadOnly()
  async compute({ seconds, label = 'it' }: Computation, ctx: ToolContext) {
    await sleep(seconds * 1000, undefined, { signal: ctx.signal });
    return `Computed ${label} for ${String(seconds)} seconds`;
  }

  @Action({ name: 'failing_job', description: 'Fails, as a task and no other way', task: 'required' })
  @ReadOnly()
  async fail(): Promise<string> {
    await sleep(1000);
    throw new Error('This job always fails');
  }

  @Action({ name: 'protocol_error_job', description: 'Breaks with an error of the protocol', task: true })
  @ReadOnly()
  break(): string {
    throw new ProtocolError(-32603, 'This job breaks');
  }

  @Action({ name: 'confirm_delete', description: 'Deletes a file, once the user agreed', task: true })
  @Destructive()
  async delete({ filename }: File, ctx: ToolContext) {
    const answer = await ctx.ask(Confirmation, `Delete ${filename}?`);
    return answer.action === 'accept' && answer.content.confirm ? `Deleted ${filename}` : `Kept ${filename}`;
  }

  @Action({ name: 'multi_input', description: 'Asks two things at once', task: true })
  @ReadOnly()
  async askTwice(ctx: ToolContext) {
    const [first, second] = await Promise.all([
      ctx.ask(Confirmation, 'Do you agree?', { name: 'first' }),
      ctx.ask(Confirmation, 'Do you really?', { name: 'second' }),
    ]);
    return `First ${first.action}, then ${second.action}`;
  }

  @Action({
    name: 'test_tool_with_task',
    description: 'Asks first, and goes on as a task',
    task: 'on-demand',
  })
  @ReadOnly()
  async askThenWork(ctx: ToolContext) {
    const answer = await ctx.ask(Greeting, 'What is your name?', { name: 'user_name' });
    await ctx.startTask();
    return `Worked for ${answer.action === 'accept' ? answer.content.name : 'nobody'}`;
  }
}
