import { Action, Injectable, McpApplication, Module, Notifier, Resource, ToolGroup } from 'toolwright';
import { serveAttacked } from '../serve-attacked.ts';

@ToolGroup({ name: 'desk', description: 'Reports', expose: 'flat' })
class Desk {
  constructor(private readonly notifier: Notifier) {}

  @Action('Notifies everybody that a page changed') touch_run(): string {
    this.notifier.resourceUpdated('pages://one');
    this.notifier.resourcesChanged();
    return 'told';
  }
}

@Injectable()
class Pages {
  @Resource('pages://one') one(): string {
    return 'one';
  }
}

@Module({ controllers: [Desk, Pages] })
class Streams {}

/** How many streams there may be of each kind; without it, as many as by default. */
const most = process.env['STREAMS'];
const limits =
  most === undefined
    ? { sessions: true }
    : { sessions: { maxSessions: Number(most), eventStore: false as const }, maxSubscriptions: Number(most) };

await serveAttacked(await McpApplication.create(Streams, { maskErrors: true }), {
  ...limits,
  // Comments between events are not what is measured
  keepAlive: 600_000,
  authenticate: ({ headers }) => {
    const token = headers['authorization'] ?? 'nobody';
    return { token, clientId: token, scopes: [] };
  },
});
