import { PART_CAPABILITIES, type PartName } from '../../../runtime/service-parts.ts';
import { TASK_CAPABILITIES } from '../../../runtime/tasks/task-port.ts';
import { REVISIONS_2026 } from '../../../shared/protocol-era.ts';
import { KnownReply } from '../../json-rpc/message.ts';
import type { Revision } from '../../revision.ts';
import type { ServerInfo } from '../../server-info.ts';

/** Describes the server to clients of 2026-07-28 (spec 2026-07-28: server/discover). */
export class Discovery {
  readonly #info: ServerInfo;
  readonly #parts: ReadonlySet<PartName>;
  readonly #revision: Required<Pick<Revision, 'encode'>>;
  readonly #replies = new Map<string, KnownReply>();

  constructor(info: ServerInfo, parts: ReadonlySet<PartName>, revision: Required<Pick<Revision, 'encode'>>) {
    this.#info = info;
    this.#parts = parts;
    this.#revision = revision;
  }

  reply(canLog: boolean, hasTasks: boolean): KnownReply {
    const key = `${String(canLog)} ${String(hasTasks)}`;
    const known = this.#replies.get(key);
    if (known !== undefined) return known;
    const { instructions } = this.#info;
    const result = {
      supportedVersions: REVISIONS_2026,
      capabilities: {
        ...(canLog ? { logging: {} } : {}),
        ...(hasTasks ? TASK_CAPABILITIES['2026'] : {}),
        ...Object.fromEntries([...this.#parts].map((part) => [part, PART_CAPABILITIES[part]])),
      },
      ...(instructions === undefined ? {} : { instructions }),
      ttlMs: 0,
      cacheScope: 'private',
    };
    const reply = new KnownReply(this.#revision.encode('server/discover', result));
    this.#replies.set(key, reply);
    return reply;
  }
}
