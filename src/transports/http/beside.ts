import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthInfo } from '../../call/request-context.ts';
import type { ChangeNotice } from '../../call/notifier.ts';
import type { McpService } from '../../runtime/service.ts';

/** What has the port of an endpoint in common with it, and answers the requests to its own paths: the explorer. */
export interface Beside {
  /** Where people open it. */
  readonly url: string;
  /** The service that the endpoint passes its requests to; it may look at them. */
  watch(service: McpService): McpService;
  /** Answers a request to one of its paths; false for every other. */
  take(incoming: IncomingMessage, outgoing: ServerResponse): boolean;
  notify(change: ChangeNotice): void;
  /** Refuses new calls and resolves when those that run are answered. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** The server that it is beside. */
export interface BesidePlace {
  /** The endpoint, as a client on this machine reaches it. */
  readonly url: URL;
  /** What is listened on: the host as it was given, and the address that it stands for. */
  readonly host: string;
  readonly address: string;
  /** Logs a fault of its own. */
  report(cause: unknown): void;
  /**
   * Opens the same application at another path: `callerOf` says who calls, and nobody else is asked.
   * @param hosts the names that it may be called by
   */
  open(path: string, hosts: readonly string[], callerOf: CallerOf): BesideEndpoint;
}

export type CallerOf = (request: { sentHeader(name: string): string | null }) => AuthInfo | undefined;

/** An endpoint for callers that are chosen. */
export interface BesideEndpoint {
  receive(incoming: IncomingMessage, outgoing: ServerResponse): void;
  notify(change: ChangeNotice): void;
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** @throws ToolwrightError where it must not be opened */
export type OpenBeside = (place: BesidePlace) => Beside;
