import type { BaseModel } from './base-model.ts';
import { sealedError } from './sealing.ts';

/**
 * What one part of a model holds: every member once, in the order of joining.
 * Two lists can be the two ends of a link, and are then only ever changed together.
 */
export class MemberList<TMember, TOwner extends BaseModel> {
  readonly #owner: TOwner;
  readonly #field: string;
  readonly #members = new Set<TMember>();
  #items: readonly TMember[] | undefined;
  #isSealed = false;

  /** `field` is the owner's name for the list in messages. */
  constructor(owner: TOwner, field: string) {
    this.#owner = owner;
    this.#field = field;
  }

  /** A frozen array; the same one until the list changes. */
  get items(): readonly TMember[] {
    return (this.#items ??= Object.freeze([...this.#members]));
  }

  add(member: TMember): boolean {
    this.ensureOpen();
    return this.#add(member);
  }

  remove(member: TMember): boolean {
    this.ensureOpen();
    return this.#remove(member);
  }

  /** Adds a member whose own list of owners is `end`; both sides change, or neither. */
  link(member: TMember, end: MemberList<TOwner, BaseModel>): boolean {
    this.ensureOpen();
    end.ensureOpen();
    end.#add(this.#owner);
    return this.#add(member);
  }

  /** Removes a member whose own list of owners is `end`; both sides change, or neither. */
  unlink(member: TMember, end: MemberList<TOwner, BaseModel>): boolean {
    this.ensureOpen();
    end.ensureOpen();
    end.#remove(this.#owner);
    return this.#remove(member);
  }

  /** Throws TW_MODEL_SEALED after {@link seal}. */
  ensureOpen(): void {
    if (this.#isSealed) throw sealedError(this.#owner.toString(), this.#field);
  }

  seal(): void {
    this.#isSealed = true;
  }

  #add(member: TMember): boolean {
    if (this.#members.has(member)) return false;
    this.#members.add(member);
    this.#items = undefined;
    return true;
  }

  #remove(member: TMember): boolean {
    if (!this.#members.delete(member)) return false;
    this.#items = undefined;
    return true;
  }
}
