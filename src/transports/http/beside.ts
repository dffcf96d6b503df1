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
  /** Logs that others than this machine reach it. */
  warn(message: string): void;
  /**
   * Opens the same application at another path: `callerOf` says who calls, and nobody else is asked.
   */
  open(path: string, sources: Sources, callerOf: CallerOf): BesideEndpoint;
}

/** The names that something may be called by, with the port, and the origins of the pages that may call it. */
export interface Sources {
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
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
