import { Action, McpApplication, Module, ToolGroup } from 'toolwright';

@ToolGroup('raw')
class RawTools {
  @Action({
    input: {
      type: 'object',
      properties: {
        text: { type: 'string' },
        size: {
          anyOf: [
            { type: 'integer', minimum: 1 },
            { type: 'string', minLength: 2 },
          ],
        },
      },
    },
  })
  echo(input: object) {
    return input;
  }
}

@Module({ controllers: [RawTools] })
class RawModule {}

const app = await McpApplication.create(RawModule, { name: 'raw', version: '1.0.0' });

export default { fetch: (request: Request): Promise<Response> => app.fetch(request) };
