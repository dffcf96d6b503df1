import { Action, McpApplication, Module, ToolGroup } from 'toolwright';
import { serveAttacked } from '../serve-attacked.ts';

@ToolGroup({ name: 'desk', description: 'Answers', expose: 'flat' })
class Desk {
  @Action('Answers shortly') short_run(): string {
    return 'done';
  }
  @Action('Answers at length') long_run(): string {
    return 'x'.repeat(14 * 1024 * 1024);
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
  await McpApplication.create(Serving),
  SESSIONS === undefined ? {} : { sessions: true, authenticate },
);
