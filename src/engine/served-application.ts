import type { Logger } from '../call/logger.ts';
import type { Peers } from '../runtime/peers/peers.ts';
import type { McpService, ReplaceableService } from '../runtime/service.ts';
import { Revision2025 } from './revisions/2025/revision-2025.ts';
import type { SharedRecords } from './revisions/2025/shared-records.ts';
import { Revision2026 } from './revisions/2026-07-28/revision-2026.ts';
import type { ServerInfo } from './server-info.ts';

/** The two eras of the protocol, for one application. */
export class Revisions {
  readonly revision2025: Revision2025;
  /** Another one where another application takes the place of this one. */
  revision2026: Revision2026;
  readonly #service: McpService;

  constructor(info: ServerInfo, service: McpService) {
    this.#service = service;
    this.revision2025 = new Revision2025(info, service);
    this.revision2026 = new Revision2026(info, service);
  }

  /** The service that they know serves another application now. */
  renew(info: ServerInfo): void {
    this.revision2025.renew(info);
    this.revision2026 = new Revision2026(info, this.#service);
  }
}

/** What the instances of one application share, so that a 2025 client can talk to any of them. */
export interface SharedSessions {
  readonly records: SharedRecords;
  readonly peers: Peers;
}

/** What health checks report of an application. */
export interface Readiness {
  /** Somebody asks for its health. */
  noticed(): void;
  /** Whether requests should be sent here, in a line, with what else the answer says. */
  state(): { readonly isReady: boolean; readonly text: string };
}

/** Everything a transport needs to serve an application. */
export interface ServedApplication {
  readonly info: ServerInfo;
  readonly service: McpService;
  readonly logger: Logger;
  /** Undefined where each connection has its own. */
  readonly revisions?: Revisions;
  /** Undefined for a single instance. */
  readonly sessions?: SharedSessions | undefined;
  /** Undefined where health checks are not answered. */
  readonly readiness?: Readiness | undefined;
}

/** An application behind transports that stay when another one takes its place. */
export class ReplaceableApplication implements ServedApplication {
  readonly service: ReplaceableService;
  readonly revisions: Revisions;
  readonly logger: Logger;
  readonly sessions: SharedSessions | undefined;
  info: ServerInfo;
  readiness: Readiness | undefined;

  constructor({ info, service, logger, readiness, sessions }: ServedApplication) {
    this.info = info;
    this.sessions = sessions;
    this.readiness = readiness;
    this.service = service.replaceable();
    this.revisions = new Revisions(info, this.service);
    this.logger = logger;
  }

  /** Clients keep their sessions and subscriptions; their next requests go to the other application. */
  become({ info, service, readiness }: ServedApplication): void {
    this.info = info;
    this.readiness = readiness;
    this.service.become(service);
    this.revisions.renew(info);
  }
}

/** The revisions of the application, or a new one where it has none. */
export function revisionsOf({ revisions, info, service }: ServedApplication): Revisions {
  return revisions ?? new Revisions(info, service);
}
