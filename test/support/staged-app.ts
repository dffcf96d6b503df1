import { IsString } from 'class-validator';
import {
  Action,
  Complete,
  Injectable,
  Module,
  Prompt,
  Resource,
  ToolContext,
  ToolGroup,
  type ApplicationOptions,
  type CallToolResult,
  type McpApplication,
} from 'toolwright';
import { assembleApplication } from '../../src/application/assemble-application.ts';
import type { Rings } from '../../src/runtime/routes/route.ts';
import { COMPOSITION } from '../../src/app/features.ts';
import { MemoryLogger } from './memory-logger.ts';

class Topic {
  @IsString() topic!: string;
}

class Sure {
  @IsString() reason!: string;
}

@Injectable()
@ToolGroup('notes')
class Notes {
  @Action() add({ topic }: Topic): string {
    return topic;
  }
  @Action() async ask(ctx: ToolContext): Promise<string> {
    return (await ctx.ask(Sure, 'Sure?')).action;
  }
  @Action({ tags: ['hidden'] }) secret(): string {
    return 'secret';
  }
  @Prompt() review({ topic }: Topic): string {
    return topic;
  }
  @Complete('review', 'topic') topics(): string[] {
    return ['stages'];
  }
  @Resource('notes://all') all(): string {
    return 'all';
  }
  @Resource('notes://topic/{topic}') note({ topic }: Topic): string {
    return topic;
  }
}

@Module({ controllers: [Notes] })
class NotesModule {}

type Params = Readonly<Record<string, unknown>>;

/** A call of everything that can be called. */
export const CALLS: Readonly<Record<string, readonly [method: string, params: Params]>> = {
  'a tool': ['tools/call', { name: 'notes', arguments: { action: 'add', topic: 'a' } }],
  'a prompt': ['prompts/get', { name: 'review', arguments: { topic: 'a' } }],
  'a fixed resource': ['resources/read', { uri: 'notes://all' }],
  'a resource template': ['resources/read', { uri: 'notes://topic/a' }],
  'a completion': [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'review' }, argument: { name: 'topic', value: '' } },
  ],
};

/** An application whose calls pass other stages than those that are there. */
export interface StagedApplication {
  /** Of an application, what connects it. */
  readonly app: McpApplication;
  call(tool: string, args: unknown): Promise<CallToolResult>;
  close(): Promise<void>;
}

export async function createStaged(
  stagesOf: (stages: Rings) => Rings,
  options: ApplicationOptions = {},
): Promise<StagedApplication> {
  const given = { name: 'notes', logger: new MemoryLogger(), exclude: ['hidden'], ...options };
  const { server } = await assembleApplication(NotesModule, given, async () => undefined, undefined, {
    ...COMPOSITION,
    stages: stagesOf(COMPOSITION.stages),
  });
  return {
    app: server as unknown as McpApplication,
    call: (tool, args) => server.localCalls.call(tool, args),
    close: async () => {
      await server.close();
      await server.release();
    },
  };
}
