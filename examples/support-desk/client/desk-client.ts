import { connectionOf, type Connection, type Era } from './connection.ts';
import type { User } from './user.ts';

export interface Answer {
  readonly text: string;
  /** The code of an error; undefined for a call that was done. */
  readonly code: string | undefined;
  /** Whether it is the answer of an earlier call with the same key. */
  readonly isReplay: boolean;
}

/** A client that lets its user sign in when the server asks for it, and then does again what was refused. */
export class DeskClient {
  private constructor(
    private readonly user: User,
    private readonly connection: Connection,
  ) {}

  static async connect(era: Era, address: URL, user: User): Promise<DeskClient> {
    const refused = connectionOf(era, address, user);
    const connection = connectionOf(era, address, user);
    try {
      await refused.connect();
    } catch (error) {
      await finishSignIn(user, refused, error);
    }
    await connection.connect();
    return new DeskClient(user, connection);
  }

  /** The actions that each tool lists. */
  async actions(): Promise<Readonly<Record<string, readonly string[]>>> {
    const { tools } = await this.connection.listTools();
    return Object.fromEntries(
      tools.map(({ name, inputSchema }) => [
        name,
        (inputSchema.properties?.['action'] as { readonly enum: readonly string[] }).enum,
      ]),
    );
  }

  async call(tool: string, action: string, args: object = {}): Promise<Answer> {
    const call = { name: tool, arguments: { action, ...args } };
    try {
      return answerOf(await this.connection.callTool(call));
    } catch (error) {
      await finishSignIn(this.user, this.connection, error);
      return answerOf(await this.connection.callTool(call));
    }
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}

async function finishSignIn(user: User, connection: Connection, error: unknown): Promise<void> {
  const answer = await user.signIn();
  if (answer === undefined) throw error;
  await connection.finishAuth(answer);
}

interface Result {
  readonly content: readonly { readonly text?: string }[];
  readonly _meta?: {
    readonly 'toolwright/error'?: { readonly code: string };
    readonly 'toolwright/idempotency'?: { readonly replayed: boolean };
  };
}

function answerOf(given: unknown): Answer {
  const { content, _meta: meta } = given as Result;
  return {
    text: content.map(({ text = '' }) => text).join('\n'),
    code: meta?.['toolwright/error']?.code,
    isReplay: meta?.['toolwright/idempotency']?.replayed === true,
  };
}
