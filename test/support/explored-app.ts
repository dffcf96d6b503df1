import { IsInt, IsString, Max, Min, MinLength } from 'class-validator';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import {
  Action,
  Destructive,
  Injectable,
  Middleware,
  Module,
  Prompt,
  ReadOnly,
  Resource,
  Sensitive,
  ToolGroup,
  type HttpServing,
  type MiddlewareCall,
  type Next,
} from 'toolwright';

@Injectable()
export class TaskStore {
  readonly titles: string[] = [];
}

@Injectable()
class Audit {
  constructor(readonly store: TaskStore) {}
  use(_call: MiddlewareCall, next: Next): unknown {
    return next();
  }
}

class NewTask {
  @IsString() @MinLength(1) title!: string;
  @IsInt() @Min(1) @Max(5) priority = 3;
  @IsString() @Sensitive() pin!: string;
}

@ToolGroup({ name: 'tasks', description: 'The tasks' })
@Middleware(Audit)
class Tasks {
  constructor(private readonly store: TaskStore) {}

  @Action('Create a task')
  create(input: NewTask): string {
    this.store.titles.push(input.title);
    return `Task ${String(this.store.titles.length)}`;
  }

  @Action('List the tasks')
  @ReadOnly()
  list(): string {
    return this.store.titles.join(', ');
  }

  @Action('Delete all tasks')
  @Destructive()
  clear(): string {
    this.store.titles.length = 0;
    return 'Gone';
  }

  @Prompt('Review the tasks')
  review(): string {
    return 'Review them.';
  }

  @Resource('tasks://all')
  all(): string {
    return this.store.titles.join('\n');
  }
}

@Module({ controllers: [Tasks], providers: [TaskStore, Audit] })
export class TasksModule {}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends what `fetch` would not: another Host, an Origin. */
export function ask(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
    ca,
  }: { method?: string; headers?: Record<string, string>; body?: string; ca?: string | undefined } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    const request = send(url, { method, headers, ca }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** The header of the token. */
export const TOKEN = 'toolwright-explorer-token';

/** Its origin and its token. */
export function place({ explorer = '' }: HttpServing): [string, string] {
  const url = new URL(explorer);
  return [url.origin, url.hash.replace('#token=', '')];
}
