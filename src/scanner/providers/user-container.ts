import type { ProblemPlace } from '../../errors/problem-list.ts';
import type { Delayed } from '../../metadata/injections.ts';
import type { Class, Token } from '../../shared/class-type.ts';

/** How a tsyringe container makes what is registered. */
export type RegisteredMaker =
  | { readonly kind: 'value' | 'factory' }
  | { readonly kind: 'class'; readonly type: Class }
  | { readonly kind: 'token'; readonly token: Token | Delayed };

/** One registration in the user's tsyringe container. */
export interface Registration {
  readonly maker: RegisteredMaker;
  readonly lifecycle: 'singleton' | 'container' | 'resolution' | 'transient';
  /** What the container itself gives for it. */
  resolve(): unknown;
}

/** The directories of two copies of tsyringe. */
export interface OtherCopy {
  readonly own: string;
  readonly other: string;
  /** Whether its global container has a registration for the token, and not a decorator alone. */
  readonly isRegistered: boolean;
}

/** What the scanner asks the user's tsyringe container. It registers nothing there, and makes nothing. */
export interface UserContainer {
  /** In order; the last one is what a single injection gets. Those of a parent where the container has none. */
  registrations(token: unknown): readonly Registration[];
  /** The parameters of the constructor as tsyringe knows them; undefined without a decorator of tsyringe. */
  parameters(type: Class): readonly unknown[] | undefined;
  /** Another copy of tsyringe that this process has loaded, and that knows the token. */
  findOtherCopy(token: unknown): OtherCopy | undefined;
  /** Makes something, between the interceptors that the container has for the token. */
  intercept<T>(token: unknown, resolution: 'Single' | 'All', make: () => T): T;
}

/** Reports that another copy of tsyringe knows what the one that Toolwright asks does not; `what` is the whole clause. */
export function reportCopies(what: string, { own, other }: OtherCopy, here: ProblemPlace): void {
  here.add('TW_SCAN_CONTAINER_COPIES', {
    what,
    why: `each copy knows only what was registered in it: that is ${other}, and ${own} is asked.`,
    fix: 'leave one copy: `npm ls tsyringe` shows which package brings the other one, and `npm dedupe` merges equal versions',
  });
}
