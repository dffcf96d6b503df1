import { Action, McpApplication, Module, ToolGroup, type OnApplicationShutdown } from 'toolwright';

@ToolGroup('work')
class WorkController implements OnApplicationShutdown {
  @Action('Answers at once')
  ping(): string {
    return 'pong';
  }

  async onApplicationShutdown(): Promise<void> {
    if (process.argv.includes('--failing-hook')) throw new Error('the hook failed');
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.stderr.write('hook has run\n');
  }
}

@Module({ controllers: [WorkController] })
class WorkModule {}

// What a connection pool or a telemetry client leaves open
const open = setInterval(() => undefined, 1000);
const exit = process.argv.includes('--goes-on') ? { exit: false } : {};
const app = await McpApplication.create(WorkModule, { logger: () => undefined });
const serving = await app.stdio(exit);
if (process.argv.includes('--serves-too')) {
  const other = await McpApplication.create(WorkModule, { logger: () => undefined });
  await other.listen({ port: 0 });
}
await serving.closed;
process.stderr.write('goes on after its client\n');
process.on('SIGUSR2', () => {
  process.stderr.write('still there\n');
  clearInterval(open);
  process.exit(7);
});
