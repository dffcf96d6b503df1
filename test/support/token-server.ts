/** A server of one tool with two actions, whose tokens are counted. */
export const TOKEN_SERVER = `
import { IsInt, IsOptional, IsString } from 'class-validator';
import { Action, Field, Input, Module, ToolGroup } from 'toolwright';

class Create {
  @IsString() @Field('What has to be done, <|endoftext|> or not') title!: string;
  @IsOptional() @IsInt() priority?: number;
}

@ToolGroup({ name: 'tasks', description: 'Tasks of a team' })
class Tasks {
  @Action('Create a task') create(@Input(Create) input: Create): string {
    return input.title;
  }
  @Action('List tasks') list(): string {
    return 'none';
  }
}

@Module({ controllers: [Tasks] })
export class AppModule {}
`;
