import { ownerName } from '../call/subject.ts';
import { refuseOptions } from '../errors/option-errors.ts';
import { joinStores, reportRemoval, ownedStores, type OwnedStores } from '../runtime/feature-states.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { SESSIONS } from '../engine/revisions/2025/shared-records.ts';
import { ONCE } from '../runtime/replay/answer-once.ts';
import { entriesIn } from '../runtime/store/owned-entries.ts';
import type { Removal } from '../runtime/runtime-facet.ts';
import type { ServiceSettings } from '../runtime/routes/route.ts';
import type { McpService } from '../runtime/service.ts';
import { filledText, required, type OptionRules } from '../shared/option-rules.ts';
import { nextTurn, unref } from '../shared/platform.ts';
import type { ApplicationSettings } from './application-settings.ts';
import type { BackplanePorts } from './backplane.ts';
import type { Replicas } from './replicas.ts';

/** Whose data `app.forget` removes, as the verified tokens name them. */
export interface ForgottenPerson {
  /** The person or account: `sub` of the token, and the client's id where a token has none. */
  readonly subject: string;
  /** The issuer of the token. Default: tokens that name none. */
  readonly issuer?: string | undefined;
  /** The tenant. Default: tokens that name none. */
  readonly tenant?: string | undefined;
}

/** What `app.forget` has done. */
export interface ForgetReport {
  /** How many entries each kind of store had of the person. */
  readonly removed: Readonly<Record<string, number>>;
  /** Kinds of stores that cannot remove the entries of one person: they keep what they have until it expires. */
  readonly unsupported: readonly string[];
  /** What was ended in this instance; other instances end theirs. */
  readonly ended: {
    /** Calls that ran. */
    readonly calls: number;
    /** Sessions of 2025 clients, and streams of 2026 clients that listened. */
    readonly connections: number;
  };
}

const RULES: OptionRules<ForgottenPerson> = {
  subject: required(filledText),
  issuer: filledText,
  tenant: filledText,
};

/** Milliseconds. */
const LATER = 2000;

interface ForgettingParts {
  readonly service: McpService;
  readonly ports: BackplanePorts;
  readonly replicas: Replicas;
  readonly settings: ApplicationSettings;
}

interface RemovalWithErrors extends Removal {
  readonly errors: readonly unknown[];
}

/** Removes what an application keeps of a person. */
export class Forgetting {
  readonly #parts: ForgettingParts;

  constructor(parts: ForgettingParts) {
    this.#parts = parts;
    parts.replicas.onForget((owner) => void this.#follow(owner));
  }

  /** @throws ToolwrightError TW_APPLICATION_OPTION or TW_FORGET_INCOMPLETE */
  async forget(given: ForgottenPerson): Promise<ForgetReport> {
    refuseOptions('TW_APPLICATION_OPTION', 'app.forget()', given, RULES);
    const { subject: sub, issuer, tenant } = given;
    const owner = ownerName({ issuer, sub, tenant });
    const { replicas } = this.#parts;
    // First what would write more
    await replicas.tellToForget(owner);
    const ended = await this.#end(owner);
    const person = JSON.stringify([issuer ?? null, sub, tenant ?? null]);
    const removal = await this.#record(person, await removeFrom(this.#stores, owner));
    const { removed, unsupported } = removal;
    if (removal.failed.length > 0) throw incomplete(removal);
    return Object.freeze({
      removed: Object.freeze(removed),
      unsupported: Object.freeze(unsupported),
      ended: Object.freeze(ended),
    });
  }

  get #stores(): OwnedStores {
    const { service, ports } = this.#parts;
    const { events = [], ...own } = storesOfService(service.settings);
    return {
      ...own,
      sessions: [entriesIn(ports.store, SESSIONS, false)],
      events: [...new Set([ports.events, ...events])],
    };
  }

  /** Policies are asked again as well: what they said of the person is kept for a while. */
  async #end(owner: string): Promise<ForgetReport['ended']> {
    const { open, authorization } = this.#parts.service.settings;
    authorization.forget();
    const ended = open.endOf(owner);
    // Handlers that hear of it have ended then
    await nextTurn();
    return ended;
  }

  /** Another instance forgets somebody: what was open here may write after that one has removed and counted all. */
  async #follow(owner: string): Promise<void> {
    const { calls, connections } = await this.#end(owner);
    if (calls + connections === 0) return;
    unref(setTimeout(() => void this.#removeAgain(owner), LATER));
  }

  /** What ended calls have written in the meantime, and not the session or the sign-in that the person has begun since. */
  async #removeAgain(owner: string): Promise<void> {
    const ofCalls = Object.entries(this.#stores).map(
      ([kind, stores]) => [kind, stores.filter((store) => store?.isWrittenByCalls !== false)] as const,
    );
    const { failed, errors } = await removeFrom(Object.fromEntries(ofCalls), owner);
    if (failed.length === 0) return;
    const message = `Another instance forgets somebody, and this one could not remove what it had left in ${failed.join(', ')}`;
    this.#parts.settings.logger.log({ level: 'error', event: 'forget.failed', message, error: errors[0] });
  }

  /** Features that cannot take it down count as stores that failed. */
  async #record(person: string, { errors, ...removal }: RemovalWithErrors): Promise<RemovalWithErrors> {
    const failed = await reportRemoval(this.#parts.service.settings, person, removal);
    return {
      ...removal,
      failed: [...removal.failed, ...failed.keys()],
      errors: [...errors, ...failed.values()],
    };
  }
}

function incomplete({ removed, failed, errors }: RemovalWithErrors): ToolwrightError {
  const done = Object.keys(removed).filter((kind) => !failed.includes(kind));
  return new ToolwrightError('TW_FORGET_INCOMPLETE', {
    where: 'app.forget()',
    what: `could not remove and record everything: these stores failed: ${failed.join(', ')}.`,
    why: `these are done: ${done.length === 0 ? 'none' : done.join(', ')}.`,
    fix: 'call it again when the stores answer: what is done stays done, and the rest is removed then',
    cause: new AggregateError(errors, 'Stores failed'),
  });
}

/** The stores in which a service keeps what it has to know of its callers. */
function storesOfService(settings: ServiceSettings): OwnedStores {
  const { replayEngine, features, states, open } = settings;
  const own = { [ONCE]: [entriesIn(replayEngine.store, ONCE)] };
  return joinStores([own, ...ownedStores(features, states), { events: [...open.stores] }]);
}

/** Removes the entries of an owner from all stores, also when some of them fail. */
async function removeFrom(stores: OwnedStores, owner: string): Promise<RemovalWithErrors> {
  const removed: Record<string, number> = {};
  const [unsupported, failed] = [new Set<string>(), new Set<string>()];
  const errors: unknown[] = [];
  for (const [kind, own] of Object.entries(stores)) {
    for (const store of own) {
      if (store === undefined) continue;
      if (store.forget === undefined) unsupported.add(kind);
      else
        try {
          removed[kind] = (removed[kind] ?? 0) + (await store.forget(owner));
        } catch (error) {
          failed.add(kind);
          errors.push(error);
        }
    }
  }
  return { removed, unsupported: [...unsupported], failed: [...failed], errors };
}
