import type { Cancellation } from '../call/call-context.ts';
import type { AuthInfo } from '../call/call-exchange.ts';
import type { AskOptions } from '../runtime/ask-client.ts';
import type { ServedClient } from '../runtime/service-request.ts';
import type { McpService } from '../runtime/service.ts';
import type { HeaderReader } from './header-reader.ts';
import type { ClientSession } from './revisions/2025/session-record.ts';

/** Who sent a request, and the ways to reach them while it runs. */
export interface RequestPeer {
  /** Undefined where the request stands for itself. */
  readonly session?: ClientSession | undefined;
  /** What serves it, and counts it where the connection does. */
  readonly service: McpService;
  readonly client: ServedClient;
  readonly cancellation: Cancellation;
  readonly sessionId: string | undefined;
  readonly authInfo: AuthInfo | undefined;
  /** Undefined where no HTTP request carried it. */
  readonly http: HttpCarrier | undefined;
  /** Ends the response for a client that comes back; undefined where none could. */
  readonly releaseStream: (() => void) | undefined;
  /** False where log messages would be lost. */
  readonly canLog: boolean;
  /** Sends a notification that belongs to the request. */
  notify(notification: object): Promise<void>;
  /** Asks the client, where it can be asked while a request runs. */
  ask(request: object, options: AskOptions): Promise<unknown>;
}

/** The HTTP request that carried a message. */
export interface HttpCarrier {
  readonly method: string;
  readonly url: URL;
  readonly headers: HeaderReader;
}
