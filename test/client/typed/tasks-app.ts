import { IsArray, IsInt, IsOptional, IsString } from 'class-validator';
import { Action, Field, McpApplication, Module, Prompt, ReadOnly, ToolContext, ToolGroup } from 'toolwright';

class NewTask {
  @IsString() @Field({ description: 'What there is to do' }) title!: string;
  @IsOptional() @IsInt() priority?: number;
}
class TaskRef {
  @IsInt() id!: number;
}
class Task {
  @IsInt() id!: number;
  @IsString() title!: string;
}
class OldTask {
  @IsString() name!: string;
}
class Week {
  @IsString() week!: string;
  @IsOptional() @IsString() tone?: string;
}
class Titles {
  @IsArray() @IsString({ each: true }) titles!: string[];
}
class Name {
  @IsString() name!: string;
}

/** Has what a client may meet: groups, versions, outputs of both kinds, tasks, questions, prompts. */
@ToolGroup({ name: 'tasks', description: 'Manage tasks' })
class TaskTools {
  readonly #titles: string[] = [];

  @Action({ description: 'Create a task', version: '2.0.0', output: Task })
  create({ title }: NewTask): Task {
    this.#titles.push(title);
    return { id: this.#titles.length, title };
  }

  @Action({
    name: 'create',
    version: '1.0.0',
    deprecated: { since: '2.0.0', use: 'create' },
    output: Task,
    task: true,
  })
  createFirst({ name }: OldTask): Task {
    return this.create({ title: `${name} (first version)` });
  }

  @Action({ description: 'All titles', output: Titles })
  list(): Titles {
    return { titles: this.#titles };
  }

  @Action({ description: 'Do it', task: true })
  async finish({ id }: TaskRef, ctx: ToolContext): Promise<string> {
    const { action } = await ctx.ask(Name, `Who has done ${String(id)}?`);
    return `finished ${String(id)}: ${action}`;
  }
}

@ToolGroup({ name: 'clock', expose: 'flat' })
class ClockTools {
  @Action({ description: 'The time' })
  @ReadOnly()
  now(): string {
    return 'noon';
  }

  @Prompt('Sum up a week') weekly({ week }: Week): string {
    return `Week ${week}`;
  }
}

@Module({ controllers: [TaskTools, ClockTools] })
export class TasksModule {}

export function createTasksApp(): Promise<McpApplication> {
  return McpApplication.create(TasksModule, { name: 'task-board', version: '1.2.3' });
}
