import { ToolwrightError } from '../errors/toolwright-error.ts';
import { BaseModel, SEAL, sealedError } from './base-model.ts';

/**
 * The tree of groups: one parent at most, no cycles. What the groups hold beside groups is not known here.
 * `TGroup` is the class that extends this one.
 */
export abstract class GroupNode<TGroup extends GroupNode<TGroup>> extends BaseModel {
  // A list of one at most, so that moving a group is the same link as everything else.
  readonly #parents = new MemberList<TGroup, TGroup>(this.#self, 'parent');
  readonly #childGroups = new MemberList<TGroup, TGroup>(this.#self, 'childGroups');

  /** Subclasses call it. It refuses an empty name with `TW_MODEL_NAME`. */
  constructor(name: string, nameSeparator: string = BaseModel.DEFAULT_SEPARATOR) {
    super(name, nameSeparator);
  }

  /** The group that this one is in; null for a root. */
  get parent(): TGroup | null {
    return this.#parents.items[0] ?? null;
  }

  /** A frozen snapshot, in the order of joining. */
  get childGroups(): readonly TGroup[] {
    return this.#childGroups.items;
  }

  /**
   * Adds a group, which leaves its present parent for this one; false when it was here already.
   *
   * @throws ToolwrightError `TW_MODEL_CYCLE` when the group is this one or one of its ancestors,
   * `TW_MODEL_SEALED` when either of the two is already compiled. Nothing has changed then.
   */
  addChildGroup(group: TGroup): boolean {
    this.#childGroups.ensureOpen();
    this.#refuseCycle(group);
    const { parent } = group;
    if (parent !== null && parent !== this.#self) parent.#childGroups.unlink(group, group.#parents);
    return this.#childGroups.link(group, group.#parents);
  }

  /** Takes a group out, which then is a root; false when it was not here. Throws `TW_MODEL_SEALED`. */
  removeChildGroup(group: TGroup): boolean {
    return this.#childGroups.unlink(group, group.#parents);
  }

  /** Whether the group is in no other group. */
  isRoot(): boolean {
    return this.parent === null;
  }

  /** The topmost ancestor; of a root the root itself. */
  getRoot(): TGroup {
    return this.#lineage().at(-1) ?? this.#self;
  }

  /** The names from the root down to this group, joined by this group's own separator. */
  override getFullyQualifiedName(): string {
    const names = this.#lineage().map((group) => group.name);
    return names.reverse().join(this.nameSeparator);
  }

  /** @internal */
  override [SEAL](): readonly BaseModel[] {
    this.#parents.seal();
    this.#childGroups.seal();
    return [...super[SEAL](), ...this.childGroups];
  }

  get #self(): TGroup {
    return this as unknown as TGroup;
  }

  /** This group and its ancestors, nearest first. */
  #lineage(): TGroup[] {
    const lineage = [this.#self];
    for (let { parent } = this; parent !== null; parent = parent.parent) lineage.push(parent);
    return lineage;
  }

  #refuseCycle(group: TGroup): void {
    if (!this.#lineage().includes(group)) return;
    throw new ToolwrightError('TW_MODEL_CYCLE', {
      where: group.toString(),
      what: `cannot be added to ${this.toString()}`,
      why: group === this.#self ? 'a group cannot contain itself' : 'it is an ancestor of that group',
      fix: `add another group, or first take ${this.toString()} out of the groups that lie below the added one`,
    });
  }
}

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
