import { IsInt } from 'class-validator';
import { Action, Field, McpApplication, Module, ToolGroup } from 'toolwright';

class Add {
  @IsInt() @Field('The first number') a!: number;
  @IsInt() b!: number;
}

@ToolGroup('math')
class MathTools {
  @Action('Adds two numbers')
  add(input: Add): number {
    return input.a + input.b;
  }
}

@Module({ controllers: [MathTools] })
class MathModule {}

// As the quickstart of the README, over stdio or HTTP
const app = await McpApplication.create(MathModule, { name: 'math', version: '1.0.0' });
if (process.argv.includes('--stdio')) await app.stdio();
else process.stdout.write(`${(await app.listen({ port: 0, sessions: false })).url}\n`);
