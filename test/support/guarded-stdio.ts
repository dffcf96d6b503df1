import { createApiKey, apiKeys } from 'toolwright/auth';
import { Action, McpApplication, Module, Public, Scopes, ToolGroup, type LocalCaller } from 'toolwright';

@ToolGroup({ name: 'desk' })
class DeskTools {
  @Action('Says what this is')
  @Public()
  about() {
    return 'a desk';
  }

  @Action('Closes the desk')
  @Scopes('desk:close')
  close() {
    return 'closed';
  }
}

@Module({ controllers: [DeskTools] })
class DeskModule {}

const { key, hash } = createApiKey('desk_');
const tokens: Readonly<Record<string, string>> = { right: key, wrong: `${key}x` };
const who = process.argv[2] ?? '';
const local: LocalCaller = ({ verify }) => verify(tokens[who] ?? '');
const app = await McpApplication.create(DeskModule, {
  auth: {
    resource: 'https://mcp.example/mcp',
    verify: apiKeys({
      prefix: 'desk_',
      find: (each) => (each === hash ? { clientId: 'cron', scopes: ['desk:close'] } : undefined),
    }),
    ...(who === '' ? {} : { local }),
  },
});
await app.stdio();
