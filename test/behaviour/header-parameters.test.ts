import { expect, test } from '@jest/globals';
import { IsBoolean, IsInt, IsNumber, IsOptional, IsString } from 'class-validator';
import { Action, createTool, Field, McpApplication, Module, ToolGroup } from 'toolwright';

class Deployment {
  @IsString() @Field({ description: 'Where', header: 'Region' }) region!: string;
  @IsOptional() @IsInt() @Field({ header: 'Replicas' }) replicas?: number;
  @IsOptional() @IsBoolean() @Field({ header: 'Dry-Run' }) dryRun?: boolean;
}

@ToolGroup('deploy')
class DeployTools {
  @Action('Deploy') start({ region }: Deployment): string {
    return region;
  }

  @Action('Undo') undo({ region }: Deployment): string {
    return region;
  }
}

@Module({ controllers: [DeployTools] })
class DeployModule {}

test.each(['grouped', 'flat'] as const)('Fields say the header that repeats them: %s', async (expose) => {
  const app = await McpApplication.create(DeployModule, { expose });
  for (const { inputSchema } of app.definitions) {
    expect(inputSchema.properties).toMatchObject({
      region: { type: 'string', 'x-mcp-header': 'Region' },
      // Without null: clients refuse a header parameter of any other type.
      replicas: { type: 'integer', 'x-mcp-header': 'Replicas' },
      dryRun: { type: 'boolean', 'x-mcp-header': 'Dry-Run' },
    });
  }
  await app.close();
});

class Wrong {
  @IsNumber() @Field({ header: 'Weight' }) weight!: number;
  @IsString() @Field({ header: 'a b' }) name!: string;
}

@ToolGroup('wrong')
class WrongTools {
  @Action('Weigh') weigh(_input: Wrong): void {}
}

@Module({ controllers: [WrongTools] })
class WrongModule {}

test('A header that cannot carry its field is a start-up problem', async () => {
  await expect(McpApplication.create(WrongModule)).rejects.toMatchObject({
    problems: [
      { code: 'TW_COMPILE_HEADER', why: 'a header name has letters, digits and -_ only' },
      { code: 'TW_COMPILE_HEADER', what: expect.stringContaining('"weight" of the tool wrong') },
    ],
  });
});

test('A JSON Schema may declare headers, too', () => {
  const declaring = (type: string) =>
    createTool('raw')
      .description('Raw')
      .action({
        name: 'run',
        schema: { type: 'object', properties: { shard: { type, 'x-mcp-header': 'Shard' } } },
        handler: () => 'done',
      });
  expect(declaring('integer').buildToolDefinition().inputSchema.properties).toMatchObject({
    shard: { 'x-mcp-header': 'Shard' },
  });
  expect(() => declaring('number').buildToolDefinition()).toThrow('TW_COMPILE_HEADER');
});
