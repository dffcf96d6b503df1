import { Action, McpApplication, Module, ToolGroup } from 'toolwright';

@ToolGroup('work')
class WorkController {
  @Action('Answers at once')
  ping(): string {
    return 'pong';
  }

  @Action('Never answers')
  hang(): Promise<never> {
    process.stdout.write('hanging\n');
    return new Promise(() => undefined);
  }
}

@Module({ controllers: [WorkController] })
class WorkModule {}

const [drainDelay, drainTimeout] = process.argv.slice(2).map(Number);
const app = await McpApplication.create(WorkModule, {
  drainTimeout: drainTimeout ?? 10_000,
  ...(drainDelay === undefined ? {} : { drainDelay }),
  fetch: { sessions: false },
});
const { url } = await app.listen({ port: 0 });
process.stdout.write(`${url}\n`);
